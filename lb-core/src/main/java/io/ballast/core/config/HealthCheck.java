package io.ballast.core.config;

import io.ballast.core.Checks;
import java.util.List;
import java.util.Optional;

/** What one health check does. */
public sealed interface HealthCheck {

    /** The name of this kind of check in files and on the dashboard. */
    String label();

    /** No checks: the backend is always taken to be up. */
    record None() implements HealthCheck {
        @Override
        public String label() {
            return "none";
        }
    }

    /** A TCP handshake. */
    record Tcp() implements HealthCheck {
        @Override
        public String label() {
            return "tcp";
        }
    }

    /**
     * One HTTP/1.1 request.
     *
     * @param method its method
     * @param path its target in origin form
     * @param host its {@code Host}; the backend's address when absent
     * @param expected accepted statuses; any of the ranges
     */
    record Http(String method, String path, Optional<String> host, List<StatusRange> expected) implements HealthCheck {

        public static final String DEFAULT_METHOD = "GET";
        public static final String DEFAULT_PATH = "/";
        public static final List<StatusRange> DEFAULT_EXPECTED = List.of(new StatusRange(200, 399));

        public Http {
            Checks.that(path.startsWith("/"), "path", path, "a path that starts with /");
            expected = List.copyOf(expected);
        }

        @Override
        public String label() {
            return "http";
        }
    }

    /**
     * The same by TLS, as requests to the backends of a pool that has it go. No file asks for it by name.
     *
     * @param request what is asked
     * @param pool whose TLS it is
     * @param backend its address as written, whose host must be in its certificate
     */
    record Https(Http request, String pool, Address backend) implements HealthCheck {
        @Override
        public String label() {
            return request.label();
        }
    }

    /** Statuses from {@code low} to {@code high}, both included. */
    record StatusRange(int low, int high) {
        public StatusRange {
            Checks.between(low, 100, 599, "status");
            Checks.between(high, low, 599, "status");
        }

        @Override
        public String toString() {
            return low == high ? Integer.toString(low) : low + "-" + high;
        }
    }
}
