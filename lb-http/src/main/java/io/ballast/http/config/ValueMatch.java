package io.ballast.http.config;

/**
 * A condition on a header, a query parameter or a cookie. If several fields have the same name, at least one
 * must meet the condition.
 */
public sealed interface ValueMatch {

    /** The field has exactly this value; case-sensitive. */
    record Exact(String text) implements ValueMatch {
        @Override
        public String toString() {
            return "=" + text;
        }
    }

    /** The value of the field begins with this text. */
    record Prefix(String text) implements ValueMatch {
        @Override
        public String toString() {
            return "=" + text + "*";
        }
    }

    /** The whole value of the field matches a regular expression. */
    record Regex(String text) implements ValueMatch {
        @Override
        public String toString() {
            return "~" + text;
        }
    }

    /** Matches if the field is present with any value ({@code wanted} is true), or if it is absent (false). */
    record Present(boolean wanted) implements ValueMatch {
        @Override
        public String toString() {
            return wanted ? "" : " absent";
        }
    }
}
