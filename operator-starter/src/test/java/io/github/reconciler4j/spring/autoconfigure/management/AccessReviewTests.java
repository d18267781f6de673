package io.github.reconciler4j.spring.autoconfigure.management;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.support.TimeSource;
import jakarta.servlet.FilterChain;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Access to actuator endpoints, with an API server that knows the token {@code good} and allows reading metrics. */
class AccessReviewTests {

    private final List<String> asked = new ArrayList<>();
    private final ApiConnection connection = mock(ApiConnection.class);
    private final AccessReviewFilter filter = new AccessReviewFilter(
            new AccessReviews(connection, TimeSource.system()), "/actuator", Map.of("env", "health/env"));

    AccessReviewTests() {
        when(connection.send(any())).thenAnswer(call -> answer(call.getArgument(0)));
    }

    private ApiResponse answer(ApiRequest request) {
        byte[] bytes = request.body();
        assertThat(bytes).isNotNull();
        String body = new String(bytes, StandardCharsets.UTF_8);
        asked.add(request.path());
        String status = request.path().endsWith("tokenreviews")
                ? "{\"authenticated\":" + body.contains("\"good\"")
                        + ",\"user\":{\"username\":\"eve\",\"groups\":[\"ops\"],\"extra\":{\"a\":[\"b\"]}}}"
                : "{\"allowed\":" + isAllowed(body) + "}";
        return new ApiResponse(201, ("{\"status\":" + status + "}").getBytes(StandardCharsets.UTF_8), List.of());
    }

    private static boolean isAllowed(String review) {
        return review.contains("\"user\":\"eve\"")
                && review.contains("\"groups\":[\"ops\"]")
                && review.contains("\"extra\":{\"a\":[\"b\"]}")
                && review.contains("\"path\":\"/actuator/prometheus\"")
                && review.contains("\"verb\":\"get\"");
    }

    /** Return the status of a request, 200 if it passed. */
    private int request(String method, String path, @Nullable String authorization) throws Exception {
        HttpServletRequest request = mock(HttpServletRequest.class);
        when(request.getMethod()).thenReturn(method);
        when(request.getServletPath()).thenReturn(path);
        when(request.getHeader("Authorization")).thenReturn(authorization);
        HttpServletResponse response = mock(HttpServletResponse.class);
        int[] status = {200};
        doAnswer(call -> status[0] = call.getArgument(0)).when(response).setStatus(anyInt());
        FilterChain chain = mock(FilterChain.class);
        filter.doFilter(request, response, chain);
        verify(chain, status[0] == 200 ? times(1) : never()).doFilter(request, response);
        return status[0];
    }

    @Test
    void requestWhenTheUserHasAccessPassesAndIsRemembered() throws Exception {
        assertThat(request("GET", "/actuator/prometheus", "Bearer good")).isEqualTo(200);
        assertThat(request("GET", "/actuator/prometheus", "bearer good")).isEqualTo(200);
        assertThat(asked)
                .containsExactly(
                        "/apis/authentication.k8s.io/v1/tokenreviews",
                        "/apis/authorization.k8s.io/v1/subjectaccessreviews");
    }

    @Test
    void requestWhenTheUserHasNoAccessIsForbidden() throws Exception {
        assertThat(request("GET", "/actuator/env", "Bearer good")).isEqualTo(403);
        assertThat(request("POST", "/actuator/prometheus", "Bearer good")).isEqualTo(403);
        assertThat(request("GET", "/actuator", "Bearer good")).isEqualTo(403);
    }

    @Test
    void requestWhenTheUserIsUnknownIsUnauthorized() throws Exception {
        assertThat(request("GET", "/actuator/prometheus", "Bearer bad")).isEqualTo(401);
        assertThat(request("GET", "/actuator/prometheus", "Basic good")).isEqualTo(401);
        assertThat(request("GET", "/actuator/prometheus", null)).isEqualTo(401);
    }

    @Test
    void requestWhenForHealthOrOutsideOfTheEndpointsPasses() throws Exception {
        assertThat(request("GET", "/actuator/health", null)).isEqualTo(200);
        assertThat(request("GET", "/actuator/health/liveness", null)).isEqualTo(200);
        assertThat(request("GET", "/actuator/health/env", null)).isEqualTo(401);
        assertThat(request("GET", "/actuator/health/env/PATH", null)).isEqualTo(401);
        assertThat(request("GET", "/actuators", null)).isEqualTo(200);
        assertThat(request("GET", "/actuator/healthy", null)).isEqualTo(401);
    }

    @Test
    void requestWhenTheApiServerIsAwayIsRefused() throws Exception {
        doThrow(new ConnectionException("away", ConnectionException.Problem.REFUSED, null))
                .when(connection)
                .send(any());
        assertThat(request("GET", "/actuator/prometheus", "Bearer good")).isEqualTo(503);
    }
}
