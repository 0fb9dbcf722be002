package io.ballast.http.config;

import io.ballast.core.Checks;

/**
 * The condition of a route on the path. Paths are compared in the normal form described in {@code
 * docs/routing.md}.
 */
public sealed interface PathMatch {

    /** Every path. */
    PathMatch ANY = new Prefix("/");

    /** The path or pattern as written. */
    String text();

    /**
     * A prefix of whole segments: {@code /v1} matches {@code /v1}, {@code /v1/} and {@code /v1/x}, not {@code
     * /v10}.
     */
    record Prefix(String text) implements PathMatch {
        public Prefix {
            Checks.that(text.startsWith("/"), "path", text, "a path that starts with /");
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /** Exactly one path. */
    record Exact(String text) implements PathMatch {
        public Exact {
            Checks.that(text.startsWith("/"), "path_exact", text, "a path that starts with /");
        }

        @Override
        public String toString() {
            return text + " exactly";
        }
    }

    /** A regular expression that must match the whole path. */
    record Regex(String text) implements PathMatch {
        @Override
        public String toString() {
            return " ~" + text;
        }
    }
}
