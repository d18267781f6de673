package io.github.reconciler4j.client.internal.error;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.reconciler4j.client.error.AlreadyExistsException;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ApiException.Cause;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.ForbiddenException;
import io.github.reconciler4j.client.error.GoneException;
import io.github.reconciler4j.client.error.InternalErrorException;
import io.github.reconciler4j.client.error.InvalidObjectException;
import io.github.reconciler4j.client.error.KindNotServedException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.client.error.ServerUnavailableException;
import io.github.reconciler4j.client.error.TooManyRequestsException;
import io.github.reconciler4j.client.error.UnauthorizedException;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ApiErrorsTests {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private static ApiException error(int code, String retryAfter, String body) {
        return ApiErrors.of("get x", code, retryAfter, body.getBytes(UTF_8), MAPPER);
    }

    /** An error whose status has these fields, with quotes as apostrophes. */
    private static ApiException status(int code, String fields) {
        return error(code, null, ("{'kind':'Status'," + fields + "}").replace('\'', '"'));
    }

    private static ApiException named(int code, String reason) {
        return status(code, "'message':'no','reason':'" + reason + "','details':{'name':'x'}");
    }

    @Test
    void ofHasTheTypeOfTheCode() {
        assertThat(named(401, "")).isExactlyInstanceOf(UnauthorizedException.class);
        assertThat(named(403, "")).isExactlyInstanceOf(ForbiddenException.class);
        assertThat(named(404, "")).isExactlyInstanceOf(NotFoundException.class);
        assertThat(named(409, "Conflict")).isExactlyInstanceOf(ConflictException.class);
        assertThat(named(409, "AlreadyExists")).isExactlyInstanceOf(AlreadyExistsException.class);
        assertThat(named(410, "")).isExactlyInstanceOf(GoneException.class);
        assertThat(named(422, "")).isExactlyInstanceOf(InvalidObjectException.class);
        assertThat(named(429, "")).isExactlyInstanceOf(TooManyRequestsException.class);
        assertThat(named(500, "")).isExactlyInstanceOf(InternalErrorException.class);
        assertThat(named(502, "")).isExactlyInstanceOf(ServerUnavailableException.class);
        assertThat(named(418, "")).isExactlyInstanceOf(ApiException.class);
        assertThat(named(501, "")).isExactlyInstanceOf(ApiException.class);
    }

    @Test
    void ofSaysWhatFailedAndWhy() {
        ApiException error = named(409, "Conflict");
        assertThat(error).hasMessage("get x: 409 Conflict: no");
        assertThat(error.code()).isEqualTo(409);
        assertThat(error.reason()).isEqualTo("Conflict");
        assertThat(named(403, "")).hasMessage("get x: 403: no");
        assertThat(status(403, "'message':''")).hasMessage("get x: 403: no message");
        assertThat(named(401, "")).hasMessage("get x: 401: no: check the token or client certificate (R4J-005)");
    }

    @Test
    void ofWhenNothingServesAConversionSaysWhatToDo() {
        String webhook = "'message':'conversion webhook for example.com/v1, Kind=Web failed: ";
        assertThat(status(500, webhook + "Post \\'https://web.shop.svc:443/convert\\': service \\'web\\' not found'"))
                .hasMessageContaining("conversion webhook for example.com/v1, Kind=Web failed: Post ")
                .hasMessageEndingWith("; start the operator that serves this webhook, or end the conversion in the"
                        + " CustomResourceDefinition (R4J-510)");
        assertThat(status(500, webhook + "the spec is too new'")).message().doesNotContain("R4J-510");
    }

    @Test
    void ofWhenTheStatusNamesNoObjectIsAKindThatIsNotServed() {
        assertThat(status(404, "'message':'no'")).isExactlyInstanceOf(KindNotServedException.class);
    }

    @Test
    void ofWhenGoneHasTheTokenToContinueWith() {
        GoneException gone = (GoneException) status(410, "'metadata':{'continue':'token'}");
        assertThat(gone.continueToken()).isEqualTo("token");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "not found", "[]", "{", "{\"kind\":\"Pod\"}"})
    void ofWhenTheBodyIsNoStatusNamesLikelyCauses(String body) {
        assertThat(error(404, null, body))
                .isExactlyInstanceOf(KindNotServedException.class)
                .hasMessage("get x: 404: the API server does not serve this resource in this version;"
                        + " is its CustomResourceDefinition installed? (R4J-014)");
        assertThat(error(403, null, body))
                .isExactlyInstanceOf(ForbiddenException.class)
                .hasMessage("get x: 403: the response (" + body.length()
                        + " bytes) is not a Kubernetes status; is there a proxy in front of the API server? (R4J-040)");
    }

    @Test
    void ofWhenInvalidListsTheFields() {
        String causes = "'message':'all','details':{'causes':["
                + "{'reason':'FieldValueInvalid','message':'Invalid value: \\'7\\': too many','field':'spec.replicas'},"
                + "{'message':'wrong','field':'<nil>'}]}";
        ApiException error = status(422, causes);
        assertThat(error).hasMessage("get x: 422: spec.replicas: Invalid value: too many; wrong");
        assertThat(error.causes())
                .containsExactly(
                        new Cause("spec.replicas", "FieldValueInvalid", "Invalid value: too many"),
                        new Cause("", "", "wrong"));
        assertThat(status(403, causes)).hasMessage("get x: 403: all");
        assertThat(status(422, "'message':'all'")).hasMessage("get x: 422: all");
    }

    @ParameterizedTest
    @CsvSource({"5,5", "' 7 ',7", "301,300", "99999999999999999999,300"})
    void ofHasTheTimeOfTheHeaderButNeverMoreThanFiveMinutes(String header, long seconds) {
        assertThat(error(429, header, "").retryAfter()).contains(Duration.ofSeconds(seconds));
    }

    @Test
    void ofWhenThereIsNoHeaderHasTheTimeOfTheStatus() {
        assertThat(status(429, "'details':{'retryAfterSeconds':3}").retryAfter())
                .contains(Duration.ofSeconds(3));
        for (String header : new String[] {null, "0", "-1", "Wed, 21 Oct 2026 07:28:00 GMT"}) {
            assertThat(error(429, header, "").retryAfter()).as(header).isEmpty();
        }
        assertThat(status(429, "'details':{'retryAfterSeconds':-3}").retryAfter())
                .isEqualTo(Optional.empty());
    }

    @Test
    void ofWhenTheServerAsksToWaitIsUnavailable() {
        assertThat(error(500, "1", "")).isExactlyInstanceOf(ServerUnavailableException.class);
        assertThat(error(501, "1", "")).isExactlyInstanceOf(ServerUnavailableException.class);
        assertThat(error(499, "1", "")).isExactlyInstanceOf(ApiException.class);
    }

    @Test
    void ofStatusHasTheCodeAndTheTimeOfTheStatus() throws IOException {
        ApiException error = ApiErrors.ofStatus(
                "watch x", MAPPER.readTree("{\"code\":429,\"message\":\"no\",\"details\":{\"retryAfterSeconds\":3}}"));
        assertThat(error).isExactlyInstanceOf(TooManyRequestsException.class).hasMessage("watch x: 429: no");
        assertThat(error.retryAfter()).contains(Duration.ofSeconds(3));
        assertThat(ApiErrors.ofStatus("watch x", MAPPER.readTree("{}")))
                .isExactlyInstanceOf(InternalErrorException.class);
    }
}
