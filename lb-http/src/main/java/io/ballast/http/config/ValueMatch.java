package io.ballast.http.config;

/** What a route asks of a header, a query parameter or a cookie. Of several with one name, any may have it. */
public sealed interface ValueMatch {

    /** It is there with this value; upper and lower case differ. */
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
