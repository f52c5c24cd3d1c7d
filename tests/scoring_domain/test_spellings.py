"""One name in three scripts is one name; two names that people tell apart are two."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.domain.spellings import begins_so, sound_alike, spellings_of

NAMES = """
Ahmed احمد अहमद
Ali علی अली
Anil انیل अनिल
Anwar انور अनवर
Asif آصف आसिफ
Aslam اسلم असलम
Ayesha عائشہ आयशा
Ayub ایوب अय्यूब
Bilal بلال बिलाल
Chand چاند चाँद
Deepak دیپک दीपक
Dev دیو देव
Farooq فاروق फ़ारूक़
Fatima فاطمہ फ़ातिमा
Ghulam غلام ग़ुलाम
Gupta گپتا गुप्ता
Hassan حسن हसन
Hina حنا हिना
Hussain حسین हुसैन
Imran عمران इमरान
Iqbal اقبال इक़बाल
Jaffar جعفر जाफ़र
Javed جاوید जावेद
Jehan جہان जहान
Kamal کمال कमाल
Karim کریم करीम
Khan خان ख़ान
Krishna کرشنا कृष्ण
Lakshmi لکشمی लक्ष्मी
Mahmood محمود महमूद
Meena مینا मीना
Muhammad محمد मुहम्मद
Nadeem ندیم नदीम
Nawaz نواز नवाज़
Noor نور नूर
Owais اویس ओवैस
Patel پٹیل पटेल
Qasim قاسم क़ासिम
Raja راجا राजा
Ram رام राम
Rao راؤ राव
Rashid راشد राशिद
Rehman رحمان रहमान
Sadia سعدیہ सादिया
Saeed سعید सईद
Sana ثنا सना
Shah شاہ शाह
Sharma شرما शर्मा
Shoaib شعیب शोएब
Singh سنگھ सिंह
Sunil سنیل सुनील
Sunita سنیتا सुनीता
Tariq طارق तारिक़
Umar عمر उमर
Usman عثمان उस्मान
Vijay وجے विजय
Waleed ولید वलीद
Yasir یاسر यासिर
Yusuf یوسف यूसुफ़
Zahid زاہد ज़ाहिद
Zainab زینب ज़ैनब
"""
OTHERS = """
Amir Amin Amina Arif Arshad Arun Aruna Ashish Anish Anita Asim Asima Adil Adnan Dal Das Danish Danyal Dinesh Fahad
Faisal Farah Farid Ganesh Geeta Hamid Hamza Haris Harish Hema Jamal Jamil Junaid Kamala Kamran Karan Kashif Kiran Komal
Kumar Mahesh Majid Manish Mona Mukesh Munir Nadeema Nadia Naresh Nasir Nasira Naz Nida Pervez Qadir Rafiq Rajesh Rakesh
Rama Ramesh Rashad Ravi Reema Rehan Rizwan Rohan Roy Ruby Sajid Sajjad Salim Salma Salman Sameer Sami Samina Seema
Shahid Shahida Sohail Suresh Tahir Tahira Talha Tanvir Tarun Uma Umair Varun Vimal Vimala Wahid Wasim Yasmin Zafar
Zeeshan Zia
"""
ROWS = [tuple(line.split()) for line in NAMES.strip().splitlines()]
LATIN = [row[0] for row in ROWS] + OTHERS.split()


def alike(one: str, other: str) -> bool:
    return any(sound_alike(mine, theirs) for mine in spellings_of(one) for theirs in spellings_of(other))


@pytest.mark.parametrize("names", ROWS, ids=lambda names: names[0])
def test_a_name_is_found_in_every_script_from_every_other(names: tuple[str, ...]) -> None:
    found = [(one, other) for one in names for other in names if alike(one, other)]

    assert found == [(one, other) for one in names for other in names]


def test_names_of_one_script_that_people_tell_apart_are_not_asked_about() -> None:
    for names in (LATIN, [row[1] for row in ROWS], [row[2] for row in ROWS]):
        found = [pair for pair in combinations(names, 2) if alike(*pair)]

        assert found == []


def test_across_scripts_few_other_names_are_asked_about() -> None:
    asked = [(written, name) for row in ROWS for written in row[1:] for name in LATIN if alike(written, name)]
    wrong = [pair for pair in asked if pair not in {(written, row[0]) for row in ROWS for written in row[1:]}]

    assert wrong == [
        ("کمال", "Komal"),
        ("راشد", "Rashad"),
        ("عمر", "Amir"),
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ahmad", "Ahmed"),
        ("Mohammed", "Muhammad"),
        ("Mehmood", "Mahmud"),
        ("Osman", "Usman"),
        ("Omar", "Umar"),
        ("Kareem", "Karim"),
        ("Rahman", "Rehman"),
        ("Fatimah", "Fatima"),
        ("Aasif", "Asif"),
        ("Laxmi", "Lakshmi"),
        ("Asif Khan", "خان آصف"),
    ],
)
def test_spellings_of_one_script_and_words_in_any_order_are_alike(one: str, other: str) -> None:
    assert alike(one, other)
    assert alike(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ivan", "Иван"), ("Asif", "Asif خان"), ("A", "आ"), ("7", "7"), ("", ""), ("Asif Иван", "Asif Иван")],
)
def test_what_has_no_sound_that_is_known_is_like_nothing(one: str, other: str) -> None:
    assert not alike(one, other)


@pytest.mark.parametrize(
    ("typed", "is_found"),
    [
        ("aasif", True),
        ("آصف", True),
        ("आसिफ ख़ान", True),
        ("khan as", True),
        ("as", True),
        ("a", False),
        ("asifa", False),
        ("asim", False),
        ("umar", False),
        ("", False),
    ],
)
def test_a_name_is_searched_for_by_how_its_words_begin(typed: str, is_found: bool) -> None:
    assert begins_so("Asif Khan", typed) == is_found


LETTERS = st.text(st.sampled_from("abdehikmnosuwyآابحعمنوہیےکखगनमवसहािीुोंृ़्अइ "), max_size=12)


@given(LETTERS, LETTERS)
def test_being_alike_goes_both_ways(one: str, other: str) -> None:
    assert alike(one, other) == alike(other, one)
    assert all(sound_alike(spelling, spelling) for spelling in spellings_of(one))


@given(st.text(max_size=80))
def test_any_text_can_be_asked_about(text: str) -> None:
    assert spellings_of(text) == spellings_of(text)
    assert len(spellings_of(text)) <= 8
