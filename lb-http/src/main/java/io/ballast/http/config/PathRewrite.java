package io.ballast.http.config;

import io.ballast.core.Checks;

/** The change of a request's path before the request is forwarded or redirected. The query is unchanged. */
public sealed interface PathRewrite {

    /**
     * Removes leading segments: with {@code /api}, {@code /api/x} becomes {@code /x} and {@code /api} becomes
     * {@code /}.
     */
    record Strip(String prefix) implements PathRewrite {
        public Strip {
            Checks.that(prefix.startsWith("/"), "strip", prefix, "a path that starts with /");
        }
    }

    /** Replaces the prefix, or the exact path, that the route matched. */
    record Replace(String prefix) implements PathRewrite {
        public Replace {
            Checks.that(prefix.startsWith("/"), "replace", prefix, "a path that starts with /");
        }
    }
}
