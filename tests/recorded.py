"""Variables that remember which were asked for."""

from collections.abc import Iterator, Mapping


class Recorded(Mapping[str, str]):
    """Variables that remember which were asked for."""

    def __init__(self, values: Mapping[str, str]) -> None:
        self.values_ = values
        self.asked: set[str] = set()

    def __getitem__(self, name: str) -> str:
        self.asked.add(name)
        return self.values_[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.values_)

    def __len__(self) -> int:
        return len(self.values_)
