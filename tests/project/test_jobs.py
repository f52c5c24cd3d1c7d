"""Jobs go where the workers look, from whatever process starts them."""

from tests.processes import manage


def test_a_command_sends_its_jobs_through_the_app_of_the_site(tmp_path: object) -> None:
    program = "from celery import current_app; print(current_app.main, current_app.conf.broker_url)"

    said = manage(
        "shell", "--no-imports", "--command", program, variables={"DATABASE_URL": f"sqlite:///{tmp_path}/x"}
    )

    assert said.splitlines()[-1] == "courtpiece memory://localhost/"
