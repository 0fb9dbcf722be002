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

    /** It is there, and its value begins so. */
    record Prefix(String text) implements ValueMatch {
        @Override
        public String toString() {
            return "=" + text + "*";
        }
    }

    /** It is there, and its whole value matches a regular expression. */
    record Regex(String text) implements ValueMatch {
        @Override
        public String toString() {
            return "~" + text;
        }
    }

    /** It is there with any value, or it is not there. */
    record Present(boolean wanted) implements ValueMatch {
        @Override
        public String toString() {
            return wanted ? "" : " absent";
        }
    }
}
