from __future__ import annotations

from playwright.sync_api import Page, expect


def test_a_question_keeps_one_option_open(chapter: Page) -> None:
    for options in chapter.locator(".quiz .options").all():
        first, second = options.locator(".option").nth(0), options.locator(".option").nth(1)
        first.locator("summary").click(position={"x": 5, "y": 5})
        expect(first).to_have_attribute("open", "")
        second.locator("summary").click(position={"x": 5, "y": 5})
        expect(second).to_have_attribute("open", "")
        expect(first).not_to_have_attribute("open", "")
    assert chapter.locator(".option[open]").count() == chapter.locator(".quiz").count()


def test_a_question_has_one_right_option_and_each_says_why(chapter: Page) -> None:
    assert chapter.locator(".quiz").count() > 0
    for quiz in chapter.locator(".quiz").all():
        assert quiz.locator(".option").count() >= 2
        assert quiz.locator(".option.right").count() == 1
        for option in quiz.locator(".option").all():
            right = "right" in (option.get_attribute("class") or "").split()
            verdict = "Right. " if right else "Not quite. "
            reason = option.locator("> div").text_content() or ""
            assert reason.strip().startswith(verdict)
            assert len(reason.strip()) > len(verdict) + 10


def test_the_shut_question_does_not_give_the_answer_away(chapter: Page) -> None:
    for quiz in chapter.locator(".quiz").all():
        marks = quiz.locator("summary").evaluate_all(
            "all => all.map(one => JSON.stringify(['content', 'color', 'backgroundColor',"
            " 'borderColor'].map(name => getComputedStyle(one, '::before')[name])))"
        )
        assert len(set(marks)) == 1
