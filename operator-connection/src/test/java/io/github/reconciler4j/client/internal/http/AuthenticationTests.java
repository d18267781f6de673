package io.github.reconciler4j.client.internal.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.internal.http.Authentication.Headers;
import io.github.reconciler4j.client.internal.kubeconfig.CredentialsException;
import io.github.reconciler4j.client.internal.kubeconfig.Login;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The headers of requests, and new credentials after a 401. */
class AuthenticationTests {

    private static final ApiRequest GET = ApiRequest.of("get", "GET", "/x");

    private static Authentication of(Config config, String address) {
        return of(config, address, TimeSource.system());
    }

    private static Authentication of(Config config, String address, TimeSource time) {
        return new Authentication(config, Login.of(config, time), null, ServerAddress.of(address), "shop/1.2", time);
    }

    private static List<String> headers(Authentication authentication, ApiRequest request) throws InterruptedException {
        return authentication.headers(request).all().stream()
                .map(header -> header.getName() + ": " + header.getValue())
                .toList();
    }

    @Test
    void headersAreThoseOfTheRequest() throws InterruptedException {
        Authentication none = of(Config.empty(), "https://host");
        assertThat(headers(none, GET.withAccept("text/plain")))
                .containsExactly("Accept: text/plain", "User-Agent: shop/1.2");
        assertThat(headers(none, GET.withGzip(true).withHeaders(Map.of("accept", "other", "traceparent", "1"))))
                .containsExactlyInAnyOrder(
                        "traceparent: 1", "Accept: application/json", "Accept-Encoding: gzip", "User-Agent: shop/1.2");
        assertThat(headers(none, GET.withBody("text/yaml", new byte[0])))
                .containsExactlyInAnyOrder(
                        "Accept: application/json", "Content-Type: text/yaml", "User-Agent: shop/1.2");
    }

    @Test
    void headerWhenItContainsALineBreakIsRefused() throws InterruptedException {
        for (String value : List.of("a\nb", "a\rb", "\n", "\r")) {
            assertThatThrownBy(() -> new Headers().setHeader("X", value)).isInstanceOf(CredentialsException.class);
        }
        Headers headers = new Headers();
        assertThat(headers.uri(null)).isSameAs(headers);
        assertThat(headers.header("X", "1").header("x", "2").setHeader("X", "3"))
                .isSameAs(headers);
        assertThat(headers.all()).hasSize(1);
    }

    @Test
    void userOfTheAddressComesBeforeOtherCredentials() throws InterruptedException {
        String address = "https://aladdin:opensesame@host";
        String basic = "Authorization: Basic YWxhZGRpbjpvcGVuc2VzYW1l";
        assertThat(headers(of(Config.empty(), address), GET)).contains(basic);
        Config config = Config.empty();
        config.setOauthTokenProvider(() -> "t");
        assertThat(headers(of(config, "https://host"), GET)).contains("Authorization: Bearer t");
        Authentication authentication = of(config, address);
        assertThat(headers(authentication, GET)).contains(basic).doesNotContain("Authorization: Bearer t");
        assertThat(authentication.refresh(authentication.headers(GET), Exchange.NEVER))
                .isFalse();
        config.setUsername("u");
        assertThat(headers(of(config, address), GET)).contains(basic);
    }

    @Test
    void headerOfTheConfigurationComesBeforeTheUserOfTheAddress() throws InterruptedException {
        Config config = Config.empty();
        config.setCustomHeaders(Map.of("authorization", "Negotiate x"));
        assertThat(headers(of(config, "https://aladdin:opensesame@host"), GET))
                .contains("authorization: Negotiate x")
                .noneMatch(header -> header.contains("Basic"));
    }

    @Test
    void headersOfAnImpersonatedUserAreSentWithAndWithoutAToken() throws InterruptedException {
        Config config = Config.empty();
        config.setImpersonateUsername("jane");
        assertThat(headers(of(config, "https://host"), GET)).contains("Impersonate-User: jane");
        config.setOauthToken("t");
        assertThat(headers(of(config, "https://host"), GET))
                .contains("Impersonate-User: jane", "Authorization: Bearer t");
    }

    @Test
    void credentialsWhenThereIsANewTokenAreRefreshed() throws InterruptedException {
        AtomicReference<String> token = new AtomicReference<>("old");
        Config config = Config.empty();
        config.setOauthTokenProvider(token::get);
        Authentication authentication = of(config, "https://host");
        Headers headers = authentication.headers(GET);
        token.set("new");
        assertThat(authentication.refresh(headers, Exchange.NEVER)).isTrue();
        assertThat(headers.all())
                .filteredOn(header -> header.getName().equals("Authorization"))
                .extracting(header -> header.getValue())
                .containsExactly("Bearer new");
    }

    @Test
    void credentialsWhenThereAreNoneAreNotRefreshed() throws InterruptedException {
        Authentication none = of(Config.empty(), "https://host");
        assertThat(none.refresh(none.headers(GET), Exchange.NEVER)).isFalse();
    }

    @Test
    void credentialsWhenTheTokenIsTheRejectedOneAreSentAgainThreeTimesAndThenRarely() throws InterruptedException {
        ManualTimeSource time = new ManualTimeSource();
        Config config = Config.empty();
        config.setOauthTokenProvider(() -> "same");
        Authentication authentication = of(config, "https://host", time);
        int again = 0;
        for (int i = 0; i < 600; i++) {
            again += authentication.refresh(authentication.headers(GET), Exchange.NEVER) ? 1 : 0;
            time.advance(Duration.ofMillis(100));
        }
        assertThat(again).isEqualTo(3 + 2);
    }

    @Test
    void credentialsWhenEachIsRejectedAreSentAgainThreeTimesAndThenRarely() throws InterruptedException {
        ManualTimeSource time = new ManualTimeSource();
        AtomicInteger tokens = new AtomicInteger();
        Config config = Config.empty();
        config.setOauthTokenProvider(() -> "token-" + tokens.incrementAndGet());
        Authentication authentication = of(config, "https://host", time);
        int again = 0;
        for (int i = 0; i < 600; i++) {
            again += authentication.refresh(authentication.headers(GET), Exchange.NEVER) ? 1 : 0;
            time.advance(Duration.ofMillis(100));
        }
        assertThat(again).isEqualTo(3 + 2);
    }

    @Test
    void credentialsWhenTheyChangeAreSentAgainForAllRequestsUnderway() throws InterruptedException {
        AtomicReference<String> token = new AtomicReference<>("old");
        Config config = Config.empty();
        config.setOauthTokenProvider(token::get);
        Authentication authentication = of(config, "https://host", new ManualTimeSource());
        List<Headers> underway = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            underway.add(authentication.headers(GET));
        }
        token.set("new");
        for (Headers headers : underway) {
            assertThat(authentication.refresh(headers, Exchange.NEVER)).isTrue();
        }
    }
}
