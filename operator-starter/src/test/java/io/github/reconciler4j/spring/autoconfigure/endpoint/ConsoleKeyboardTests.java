package io.github.reconciler4j.spring.autoconfigure.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** The console in Chromium with the keyboard alone, on a large screen and on a phone, with 10,000 objects and hostile names. */
@Timeout(300)
@EnabledIfSystemProperty(
        named = "console.browser",
        matches = ".+",
        disabledReason = "needs -Dconsole.browser=chromium (Debian package chromium)")
class ConsoleKeyboardTests {

    private static final int OBJECTS = 10_000;
    private static final int PAGE = 50;
    private static final String ATTACK = "<img src=x onerror=\"document.title='changed'\">" + "x".repeat(300);
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Names what makes the page wider than the screen. */
    private static final String TOO_WIDE = "document.documentElement.scrollWidth <= innerWidth ? '' : "
            + "[...document.querySelectorAll('body *')].filter(each => each.getBoundingClientRect().right > innerWidth)"
            + ".map(each => each.tagName + '.' + each.className + '#' + each.id).join(' ')";

    private static final String FOCUSED = "document.activeElement.textContent";

    private final ConsoleServer server = new ConsoleServer(ConsoleKeyboardTests::answer);

    @TempDir
    private Path profile;

    ConsoleKeyboardTests() throws Exception {}

    @AfterEach
    void stop() {
        server.close();
    }

    private static String answer(String request) {
        String path = URI.create(request).getRawPath().substring("/actuator/reconciler4j".length());
        try {
            return JSON.writeValueAsString(
                    switch (path.split("/").length) {
                        case 0, 1 -> operator();
                        case 2 -> list(parameters(request));
                        default -> object(URLDecoder.decode(path.substring(6), StandardCharsets.UTF_8));
                    });
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Map<String, String> parameters(String request) {
        Map<String, String> found = new HashMap<>();
        String query = URI.create(request).getRawQuery();
        for (String each : query == null ? new String[0] : query.split("&")) {
            String[] parts = each.split("=", 2);
            found.put(parts[0], URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
        }
        return found;
    }

    private static Map<String, Object> controller() {
        return new HashMap<>(Map.of(
                "name",
                "maps",
                "cluster",
                "",
                "kind",
                "ConfigMap.v1",
                "state",
                "RUNNING",
                "busy",
                0,
                "workers",
                1,
                "failingCount",
                0,
                "failing",
                List.of(),
                "pausedObjects",
                0));
    }

    private static Map<String, Object> operator() {
        return Map.of(
                "name",
                "shop",
                "running",
                true,
                "leader",
                true,
                "components",
                List.of(),
                "kinds",
                List.of(),
                "leases",
                List.of(),
                "clusters",
                List.of(Map.of("name", "")),
                "controllers",
                List.of(controller()));
    }

    private static Map<String, Object> list(Map<String, String> query) {
        List<String> matching = new ArrayList<>(IntStream.range(0, OBJECTS)
                .mapToObj("default/map-%05d"::formatted)
                .filter(key -> key.contains(query.getOrDefault("search", "")))
                .toList());
        if (query.getOrDefault("filter", "ALL").equals("FAILING")) {
            matching = List.of(ATTACK);
        }
        int page = Integer.parseInt(query.get("page"));
        Map<String, Object> answer = controller();
        answer.put(
                "objects",
                Map.of(
                        "kind",
                        "ConfigMap.v1",
                        "synced",
                        true,
                        "total",
                        OBJECTS,
                        "matching",
                        matching.size(),
                        "page",
                        page,
                        "size",
                        PAGE,
                        "items",
                        matching.stream()
                                .skip((long) page * PAGE)
                                .limit(PAGE)
                                .map(ConsoleKeyboardTests::item)
                                .toList()));
        return answer;
    }

    private static Map<String, Object> item(String key) {
        return Map.of(
                "key",
                key,
                "created",
                Instant.now().toString(),
                "deleted",
                "",
                "readiness",
                Map.of("state", "READY", "message", ATTACK),
                "state",
                Map.of("why", key.equals(ATTACK) ? ATTACK : "CHANGE", "text", ATTACK),
                "failures",
                key.equals(ATTACK) ? 3 : 0,
                "error",
                ATTACK);
    }

    private static Map<String, Object> runWithWrites(String now) {
        Map<String, Object> run = new HashMap<>(Map.of(
                "reconcileId",
                ATTACK,
                "started",
                now,
                "waitedMillis",
                1,
                "tookMillis",
                2,
                "attempt",
                2,
                "triggers",
                List.of(ATTACK),
                "requests",
                3,
                "outcome",
                ATTACK,
                "error",
                ATTACK));
        run.put(
                "writes",
                List.of(Map.of(
                        "call", ATTACK, "kind", ATTACK, "key", ATTACK, "fields", List.of(ATTACK), "step", ATTACK)));
        return run;
    }

    private static Map<String, Object> child(String now, Map<String, Object> readiness) {
        return Map.of(
                "kind",
                "ConfigMap.v1",
                "key",
                ATTACK,
                "created",
                now,
                "deleted",
                "",
                "set",
                ATTACK,
                "member",
                true,
                "readiness",
                readiness);
    }

    private static Map<String, Object> details(String now) {
        Map<String, Object> readiness = Map.of("state", "WAITING", "message", ATTACK);
        Map<String, Object> details = new HashMap<>(Map.of(
                "kind",
                ATTACK,
                "created",
                now,
                "deleted",
                now,
                "generation",
                1,
                "finalizers",
                List.of(ATTACK),
                "readiness",
                readiness,
                "ownedLeftOut",
                1,
                "eventsProblem",
                ATTACK));
        details.put("owned", List.of(child(now, readiness)));
        details.put(
                "events",
                List.of(Map.of("type", ATTACK, "reason", ATTACK, "message", ATTACK, "count", 2, "last", now)));
        details.put(
                "conditions",
                List.of(Map.of(
                        "type", ATTACK, "status", ATTACK, "reason", ATTACK, "message", ATTACK, "since", "yesterday")));
        return details;
    }

    private static Map<String, Object> object(String key) {
        String now = Instant.now().toString();
        return Map.of(
                "controller",
                "maps",
                "key",
                key,
                "runs",
                List.of(runWithWrites(now)),
                "object",
                details(now),
                "state",
                Map.of("why", "BACKOFF", "text", ATTACK, "until", now, "scheduled", now));
    }

    private BrowserPage open(String fragment, int width) throws Exception {
        BrowserPage page = BrowserPage.open(profile, server.address() + fragment, width, 780);
        page.awaitTrue("document.getElementById('state')?.textContent === 'running, leader'");
        return page;
    }

    private static void assertNothingWentWrong(BrowserPage page) {
        assertThat(page.ask("document.querySelector('img') === null")).isEqualTo("true");
        assertThat(page.ask("document.title")).isNotEqualTo("changed");
        assertThat(page.ask("document.getElementById('problem').hidden")).isEqualTo("true");
        assertThat(page.problems()).isEmpty();
    }

    @Test
    void keysLeadFromTheOverviewToAnObjectAndBack() throws Exception {
        try (BrowserPage page = open("", 1280)) {
            page.press("Tab");
            assertThat(page.ask(FOCUSED)).isEqualTo("Skip to the content");
            assertThat(page.ask("getComputedStyle(document.activeElement).outlineStyle"))
                    .isEqualTo("solid");
            page.press("Tab");
            page.press("Tab");
            assertThat(page.ask(FOCUSED)).isEqualTo("maps");
            page.press("Enter");
            page.awaitTrue("document.getElementById('list-count').textContent === '10000 objects'");
            assertThat(page.ask("document.activeElement.tagName")).isEqualTo("H1");
            assertThat(page.ask("document.querySelectorAll('#objects tbody tr').length"))
                    .isEqualTo("50");

            page.press("n");
            page.awaitTrue("document.querySelector('#objects tbody a').textContent === 'default/map-00050'");
            page.press("/");
            assertThat(page.ask("document.activeElement.id")).isEqualTo("search");
            page.type("0777");
            page.awaitTrue("document.getElementById('list-count').textContent === '11 of 10000 objects'");
            assertThat(page.ask("location.hash")).isEqualTo("#maps?search=0777");
            page.press("Escape");
            assertThat(page.ask(FOCUSED)).isEqualTo("default/map-00777");
            page.press("j");
            page.press("j");
            page.press("k");
            assertThat(page.ask(FOCUSED)).isEqualTo("default/map-07770");
            page.press("Enter");
            page.awaitTrue("document.querySelectorAll('#timeline > li').length === 5");
            assertThat(page.ask("document.getElementById('object-title').textContent"))
                    .isEqualTo("default/map-07770");
            page.press("u");
            page.awaitTrue("!document.getElementById('list').hidden");
            page.press("u");
            page.awaitTrue("!document.getElementById('overview').hidden");
            assertNothingWentWrong(page);
        }
    }

    @Test
    void helpShowsTheKeysAndTurnsThemOff() throws Exception {
        try (BrowserPage page = open("#maps", 1280)) {
            page.press("?");
            page.awaitTrue("document.getElementById('help').open");
            assertThat(page.ask("document.activeElement.closest('dialog') !== null"))
                    .isEqualTo("true");
            page.ask("document.getElementById('keys-on').click()");
            page.press("Escape");
            page.awaitTrue("!document.getElementById('help').open");
            page.press("/");
            assertThat(page.ask("document.activeElement.id")).isNotEqualTo("search");
        }
    }

    @Test
    void focusSurvivesARefresh() throws Exception {
        try (BrowserPage page = open("#maps", 1280)) {
            page.awaitTrue("document.querySelectorAll('#objects tbody a').length === 50");
            page.press("j");
            page.press("j");
            int requests = server.requests().size();
            page.awaitTrue("performance.getEntriesByType('resource').length > " + (requests + 3));
            assertThat(page.ask(FOCUSED)).isEqualTo("default/map-00001");
        }
    }

    @Test
    void pagesFitAPhone() throws Exception {
        try (BrowserPage page = open("#maps?filter=FAILING", 360)) {
            for (String fragment : List.of("#", "#maps", "#maps?filter=FAILING", "#maps/default/one")) {
                page.ask("location.hash = '" + fragment + "'");
                page.awaitTrue(
                        "document.getElementById('timeline').children.length > 0 || !location.hash.includes('/')");
                await(fragment + " fits")
                        .atMost(Duration.ofSeconds(30))
                        .untilAsserted(() -> assertThat(page.ask(TOO_WIDE)).isEmpty());
                assertThat(
                                page.ask(
                                        "[...document.querySelectorAll('main button, main input, main select')].filter("
                                                + "each => each.offsetParent !== null && each.getBoundingClientRect().height < 36).length"))
                        .as("targets of a finger on %s that are too small", fragment)
                        .isEqualTo("0");
            }
            assertNothingWentWrong(page);
        }
    }

    @Test
    void tablesHaveTheirRolesAndFieldsTheirNames() throws Exception {
        try (BrowserPage page = open("#maps", 360)) {
            page.awaitTrue("document.querySelectorAll('#objects tbody [role=row]').length === 50");
            assertThat(page.ask("document.querySelectorAll('#objects [role=columnheader]').length"))
                    .isEqualTo("5");
            assertThat(page.ask("[...document.querySelectorAll('input:not([type=checkbox]), select')].every("
                            + "each => document.querySelector('label[for=' + each.id + ']') !== null)"))
                    .isEqualTo("true");
            assertThat(page.ask("document.querySelector('#controllers-nav [aria-current=page]').textContent"))
                    .isEqualTo("maps");
        }
    }

    @Test
    void hostileObjectIsShownAsText() throws Exception {
        try (BrowserPage page = open("#maps/default/one", 1280)) {
            page.awaitTrue("document.querySelectorAll('#timeline > li').length === 5");
            assertThat(page.ask(
                            "document.getElementById('object').textContent.split('<img src=x onerror=').length > 10"))
                    .isEqualTo("true");
            assertThat(page.ask("document.body.textContent.includes('NaN')")).isEqualTo("false");
            assertThat(page.ask("document.body.textContent.includes('undefined')"))
                    .isEqualTo("false");
            assertNothingWentWrong(page);
        }
    }
}
