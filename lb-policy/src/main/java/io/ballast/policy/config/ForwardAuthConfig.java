package io.ballast.policy.config;

import io.ballast.core.Checks;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Authentication by an external HTTP server.
 *
 * @param address the URL of the server, http or https, with a host
 * @param copyHeaders the headers of the server's answer that the backend receives; clients cannot set them
 * @param requestHeaders the headers of the client's request that the server receives
 * @param identityHeader the header of the answer with the name of the user; empty for none
 * @param timeout the maximum time until the answer is complete
 * @param maxInFlight the maximum number of requests to the server at the same time
 */
public record ForwardAuthConfig(
        URI address,
        List<String> copyHeaders,
        List<String> requestHeaders,
        Optional<String> identityHeader,
        Duration timeout,
        int maxInFlight)
        implements PolicyRule {

    public static final List<String> DEFAULT_REQUEST_HEADERS =
            List.of("Accept", "Authorization", "Cookie", "User-Agent", "X-Requested-With");
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);
    public static final Duration MAX_TIMEOUT = Duration.ofMinutes(1);
    public static final int DEFAULT_IN_FLIGHT = 256;
    public static final int MAX_IN_FLIGHT = 10_000;

    public ForwardAuthConfig {
        copyHeaders = List.copyOf(copyHeaders);
        requestHeaders = List.copyOf(requestHeaders);
        String scheme = address.getScheme();
        Checks.that("http".equals(scheme) || "https".equals(scheme), "address", address, "http or https");
        Checks.that(address.getHost() != null, "address", address, "a URL with a host");
        Checks.that(
                address.getRawUserInfo() == null, "address", "***@" + address.getHost(), "no user name or password");
        Checks.that(address.getFragment() == null, "address", address, "no fragment");
        boolean isInRange = !timeout.isNegative() && !timeout.isZero() && timeout.compareTo(MAX_TIMEOUT) <= 0;
        Checks.that(isInRange, "timeout", timeout, "> 0s and <= 1m");
        Checks.between(maxInFlight, 1, MAX_IN_FLIGHT, "in_flight");
    }

    /** Returns the authentication by a server with the default settings. */
    public static ForwardAuthConfig at(URI address, List<String> copyHeaders) {
        return new ForwardAuthConfig(
                address, copyHeaders, DEFAULT_REQUEST_HEADERS, Optional.empty(), DEFAULT_TIMEOUT, DEFAULT_IN_FLIGHT);
    }

    @Override
    public String kind() {
        return "forward_auth";
    }

    @Override
    public boolean authenticates() {
        return true;
    }
}
