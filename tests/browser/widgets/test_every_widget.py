"""What every widget promises: state in links, a life of its own, fallbacks, a sentence."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Route

from book import widgets
from tests.browser.acts import linked
from tests.browser.conftest import Visit
from tests.browser.website import HOME
from tests.browser.widgets.departures import DEPARTURES
from tests.browser.widgets.harness import (
    TAGS,
    WHERE,
    Open,
    assign,
    frame,
    numbers,
    press,
    state,
    wake,
)

# The address has a state once it is announced, which is when things rest.
RESTS = """widget => widget.querySelector('[role=status]').textContent ===
  widget.querySelector('.w-says').textContent"""

every_widget = pytest.mark.parametrize("tag", TAGS)


@every_widget
def test_a_state_survives_the_way_through_a_link(open_widget: Open, visit: Visit, tag: str) -> None:
    element, page = open_widget(tag), visit(WHERE[tag], width=1280, only=tag)
    for departure in DEPARTURES[tag]:
        assign(element, **departure)
        element.evaluate("e => e.set({})")  # as a reader's touch does: the link follows
        element.page.wait_for_function(RESTS, arg=element.element_handle())
        page.goto("about:blank")
        page.goto(element.page.url)
        copy = wake(page, tag)
        assert state(copy) == state(element)
        assert numbers(copy) == numbers(element)


@every_widget
def test_back_undoes_a_leap(open_widget: Open, tag: str) -> None:
    element = open_widget(tag)
    before = state(element)
    element.evaluate(
        """(e, patch) => {
          const read = Object.entries(patch).map(([name, text]) =>
            [name, e.constructor.state[name].parse(String(text))]);
          e.leap(Object.fromEntries(read));
        }""",
        DEPARTURES[tag][0],
    )
    frame(element.page)
    after = state(element)
    assert after != before
    element.page.go_back()
    frame(element.page)
    assert state(element) == before
    element.page.go_forward()
    frame(element.page)
    assert state(element) == after


@every_widget
def test_reset_leads_back_to_what_the_author_wrote(open_widget: Open, tag: str) -> None:
    element = open_widget(tag)
    before = state(element)
    assign(element, **DEPARTURES[tag][0])
    press(element, element.get_by_role("button", name="Reset"), "Enter")
    assert state(element) == before
    assert element.evaluate("e => e.contains(document.activeElement)"), "the focus stays"


@every_widget
def test_two_of_a_kind_on_a_page_do_not_disturb_each_other(open_widget: Open, tag: str) -> None:
    element = open_widget(tag)
    element.evaluate("""e => {
      const second = document.createElement(e.localName);
      second.id = 'second';
      second.append(document.createElement('p'));
      e.after(second);
    }""")
    second = element.page.locator("#second")
    second.locator(".w-view").wait_for()
    before = state(element)
    assign(second, **DEPARTURES[tag][0])
    second.evaluate("e => e.set({})")
    element.page.wait_for_function("location.hash.includes('second.')")
    assert state(element) == before
    ids = element.page.evaluate("[...document.querySelectorAll('.widget [id]')].map(e => e.id)")
    assert len(ids) == len(set(ids))
    groups = "e => new Set([...e.querySelectorAll('[type=radio]')].map(r => r.name)).size"
    assert element.evaluate(groups) <= 1
    names = "e => [...e.querySelectorAll('[type=radio]')].map(r => r.name)[0]"
    if element.evaluate(groups):
        assert element.evaluate(names) != second.evaluate(names)


@every_widget
def test_copy_link_copies_the_state(open_widget: Open, tag: str) -> None:
    element = open_widget(tag, permissions=["clipboard-read", "clipboard-write"])
    assign(element, **DEPARTURES[tag][0])
    element.get_by_role("button", name="Copy link").click()
    element.get_by_text("Link copied").first.wait_for(state="attached")
    copied = element.page.evaluate("navigator.clipboard.readText()")
    assert f"#{tag.removeprefix('attn-')}." in copied


@every_widget
def test_a_link_scrolls_to_its_widget_and_wakes_it_at_once(visit: Visit, tag: str) -> None:
    name, departure = tag.removeprefix("attn-"), DEPARTURES[tag][0]
    first = next(iter(departure))
    page = visit(f"{WHERE[tag]}#{name}.{first}={departure[first]}", width=1280)
    page.locator(f"{tag} .w-view").wait_for()
    above = "tag => Math.abs(document.querySelector(tag).getBoundingClientRect().top) < 120"
    page.wait_for_function(above, arg=tag)
    assert state(page.locator(tag))[first] == str(departure[first])


def test_a_link_finds_its_widget_below_a_heading_of_the_same_name(
    new_context: Callable[..., BrowserContext],
) -> None:
    page, tag = new_context().new_page(), TAGS[0]
    name, first = tag.removeprefix("attn-"), next(iter(DEPARTURES[tag][0]))

    def named(route: Route) -> None:
        body = route.fetch().text().replace(f"<{tag} ", f'<h2 id="{name}">Its name</h2><{tag} ', 1)
        route.fulfill(body=body, content_type="text/html")

    page.route(f"**/{WHERE[tag]}", named)
    page.goto(f"{WHERE[tag]}#{name}.{first}={DEPARTURES[tag][0][first]}")
    assert page.locator(f"h2#{name}").count() == 1
    page.locator(f"{tag} .w-view").wait_for()


@every_widget
def test_a_heading_in_the_address_leaves_the_widget_alone(open_widget: Open, tag: str) -> None:
    element = open_widget(tag)
    assign(element, **DEPARTURES[tag][0])
    before = state(element)
    element.evaluate("e => { e.same = true }")
    element.page.evaluate("location.hash = '#a-heading'")
    element.page.wait_for_timeout(400)
    assert state(element) == before
    assert element.evaluate("e => e.same"), "the page was not fetched anew"


@every_widget
def test_it_comes_to_life_when_it_comes_near(visit: Visit, tag: str) -> None:
    page = visit(HOME, width=1280)
    page.evaluate(
        """tag => {
          const far = document.createElement('div');
          far.style.height = '9000px';
          document.querySelector('.md-content__inner').append(far, document.createElement(tag));
        }""",
        tag,
    )
    page.wait_for_timeout(300)
    assert page.locator(f"{tag} .w-view").count() == 0
    wake(page, tag)


@every_widget
def test_it_lives_after_instant_navigation(visit: Visit, tag: str) -> None:
    page = visit(HOME, width=1280)
    page.evaluate("window.stays = true")
    linked(page)
    page.evaluate(
        "where => document.querySelector(`a[href$='${where}']`).click()",
        WHERE[tag].split("/")[-2] + "/",
    )
    page.wait_for_url(f"**/{WHERE[tag]}")
    wake(page, tag)
    assert page.evaluate("window.stays") is True


@every_widget
def test_a_bad_attribute_is_named_and_ignored(
    open_widget: Open, noise: list[str], tag: str
) -> None:
    element = open_widget(tag)
    name = next(iter(DEPARTURES[tag][0]))
    before = numbers(element)
    assign(element, **{name: "1,x"})
    assert len(noise) == 1
    assert f'<{tag} {name}="1,x">: expected' in noise[0]
    assert numbers(element) == before
    noise.clear()


@every_widget
def test_without_a_script_the_fallback_shows_and_leaves_no_hole(visit: Visit, tag: str) -> None:
    page = visit(WHERE[tag], java_script_enabled=False)
    assert page.locator(f"{tag} table").is_visible()
    box = page.locator(tag).bounding_box()
    assert box
    inside = [child.bounding_box() for child in page.locator(f"{tag} > *").all()]
    assert box["height"] < sum(child["height"] for child in inside if child) + 80


@every_widget
def test_on_paper_the_fallback_replaces_the_widget(open_widget: Open, tag: str) -> None:
    element = open_widget(tag)
    element.page.emulate_media(media="print")
    assert element.locator(".w-fallback table").is_visible()
    assert not element.locator(".w-view").is_visible()


@every_widget
def test_the_live_region_speaks_once_things_rest(open_widget: Open, tag: str) -> None:
    element = open_widget(tag)
    live = element.locator("[role=status]")
    assert live.inner_text() == "", "nothing to announce on arrival"
    assign(element, **DEPARTURES[tag][0])
    element.evaluate("e => e.set({})")
    element.page.wait_for_function(RESTS, arg=element.element_handle())
    assert live.text_content() == element.locator(".w-says").text_content() != ""
    assert live.evaluate("e => e.offsetWidth") == 1, "for ears only: its text takes no room"


def test_every_widget_has_states_to_look_at() -> None:
    assert sorted(DEPARTURES) == TAGS
    assert {f"attn-{file.stem}" for file in widgets.FOLDER.glob("*.js")} >= set(TAGS)
