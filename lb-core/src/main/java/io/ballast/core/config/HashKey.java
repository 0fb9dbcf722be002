package io.ballast.core.config;

import io.ballast.core.Checks;

/**
 * The part of a request that is hashed; requests with equal parts go to the same backend.
 *
 * @param source the kind of part
 * @param name the name of the header, cookie or parameter; empty for other kinds
 */
public record HashKey(Source source, String name) {

    /** The client's address. */
    public static final HashKey CLIENT = new HashKey(Source.CLIENT, "");

    /** The path as received, without the query. */
    public static final HashKey PATH = new HashKey(Source.PATH, "");

    public HashKey {
        Checks.that(
                source.isNamed() != name.isEmpty(),
                "key",
                source.label(),
                "a name for header, cookie and query; no name for client and path");
    }

    /** The part of a request from which the key is taken. */
    public enum Source {
        CLIENT("client"),
        PATH("path"),
        HEADER("header"),
        COOKIE("cookie"),
        QUERY("query");

        private final String label;

        Source(String label) {
            this.label = label;
        }

        public String label() {
            return label;
        }

        /** Returns whether the key also needs a name, because a request may have several values of this kind. */
        public boolean isNamed() {
            return this != CLIENT && this != PATH;
        }
    }

    /** Returns whether the key exists in HTTP requests only. */
    public boolean needsRequest() {
        return source != Source.CLIENT;
    }
}
