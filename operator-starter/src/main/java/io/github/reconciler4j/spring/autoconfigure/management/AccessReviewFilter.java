package io.github.reconciler4j.spring.autoconfigure.management;

import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.support.LogLimiter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a request for an actuator endpoint pass if the API server knows its bearer token and the user may access the path. Requests
 * for the health endpoint pass, because kubelet sends no token. Answers 401 without a known user, 403 without access and 503 if the
 * API server does not answer. Thread-safe.
 */
final class AccessReviewFilter extends HttpFilter {

    private static final long serialVersionUID = 1L;

    private static final Logger LOG = LoggerFactory.getLogger(AccessReviewFilter.class);
    private static final String BEARER = "Bearer ";

    private final transient AccessReviews reviews;
    private final transient LogLimiter warnings = new LogLimiter();
    private final String basePath;
    private final String health;
    private final transient List<String> belowHealth;

    /**
     * Create a filter.
     *
     * @param basePath the path of the endpoints without a slash at its end
     * @param mapping the paths of endpoints that do not have their ID as path, below that
     */
    AccessReviewFilter(AccessReviews reviews, String basePath, Map<String, String> mapping) {
        this.reviews = reviews;
        this.basePath = basePath;
        this.health = basePath + "/" + trimmed(mapping.getOrDefault("health", "health"));
        this.belowHealth = mapping.values().stream()
                .map(path -> basePath + "/" + trimmed(path))
                .filter(path -> !path.equals(health) && isBelow(path, health))
                .toList();
    }

    private static String trimmed(String path) {
        return path.replaceAll("^/+|/+$", "");
    }

    /** Endpoints can be mapped to paths below that of the health endpoint. */
    private boolean isHealth(String path) {
        return isBelow(path, health) && belowHealth.stream().noneMatch(other -> isBelow(path, other));
    }

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        String path = path(request);
        if (!isBelow(path, basePath) || isHealth(path)) {
            chain.doFilter(request, response);
            return;
        }
        int refusal = refusal(request, path);
        if (refusal == 0) {
            chain.doFilter(request, response);
            return;
        }
        if (refusal == HttpServletResponse.SC_UNAUTHORIZED) {
            response.setHeader("WWW-Authenticate", "Bearer");
        }
        response.setStatus(refusal);
    }

    /** Return the path below the servlet as the container maps it: decoded and normalized. */
    private static String path(HttpServletRequest request) {
        String info = request.getPathInfo();
        return info == null ? request.getServletPath() : info;
    }

    private static boolean isBelow(String path, String parent) {
        return path.equals(parent) || path.startsWith(parent + "/");
    }

    /** Return the status of a refusal, 0 if the request may pass. */
    private int refusal(HttpServletRequest request, String path) {
        String token = token(request);
        if (token == null) {
            return HttpServletResponse.SC_UNAUTHORIZED;
        }
        try {
            return switch (reviews.decide(token, request.getMethod().toLowerCase(Locale.ROOT), path)) {
                case ALLOWED -> 0;
                case UNKNOWN_USER -> HttpServletResponse.SC_UNAUTHORIZED;
                case FORBIDDEN -> HttpServletResponse.SC_FORBIDDEN;
            };
        } catch (ApiException e) {
            warnings.log(
                    LogLimiter.cause(e),
                    occurrence -> LOG.warn(
                            "The API server did not review the access to {}; status 503 is returned{}: {}",
                            path,
                            occurrence.suffix(),
                            e.getMessage()));
            return HttpServletResponse.SC_SERVICE_UNAVAILABLE;
        }
    }

    private static @Nullable String token(HttpServletRequest request) {
        String header = request.getHeader("Authorization");
        return header != null && header.regionMatches(true, 0, BEARER, 0, BEARER.length())
                ? header.substring(BEARER.length()).trim()
                : null;
    }
}
