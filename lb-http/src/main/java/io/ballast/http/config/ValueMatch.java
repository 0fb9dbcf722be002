package io.ballast.http.config;

/** A condition on a header, a query parameter or a cookie. One of several fields with the same name must meet it. */
public sealed interface ValueMatch {

    /** It has this value; case-sensitive. */
    record Exact(String text) implements ValueMatch {
        @Override
        public String toString() {
            return "=" + text;
        }
    }

    /** Its value begins with this text. */
    record Prefix(String text) implements ValueMatch {
        @Override
        public String toString() {
            return "=" + text + "*";
        }
    }

    /** Its whole value matches a regular expression. */
    record Regex(String text) implements ValueMatch {
        @Override
        public String toString() {
            return "~" + text;
        }
    }

    /** It is present with any value, or absent. */
    record Present(boolean wanted) implements ValueMatch {
        @Override
        public String toString() {
            return wanted ? "" : " absent";
        }
    }
}
