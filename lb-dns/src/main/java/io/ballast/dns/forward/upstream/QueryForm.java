package io.ballast.dns.forward.upstream;

import org.jspecify.annotations.Nullable;

/**
 * How a question is written for one server.
 *
 * <p>Thread safety: immutable. Not to be written to: the cookie.
 *
 * @param hasEdns whether there is an OPT record
 * @param isTrial whether it has none only to find out whether the server answers then
 * @param mixesCase whether letters of the name have a random case
 * @param cookie that the server asked for; null for none
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record QueryForm(boolean hasEdns, boolean isTrial, boolean mixesCase, byte @Nullable [] cookie) {

    /** With EDNS, and without a cookie. */
    static QueryForm usual(boolean mixesCase) {
        return new QueryForm(/* hasEdns= */ true, /* isTrial= */ false, mixesCase, /* cookie= */ null);
    }

    QueryForm withoutEdns() {
        return new QueryForm(/* hasEdns= */ false, /* isTrial= */ false, mixesCase, /* cookie= */ null);
    }

    QueryForm inLowerCase() {
        return new QueryForm(hasEdns, isTrial, /* mixesCase= */ false, cookie);
    }

    QueryForm with(byte[] other) {
        return new QueryForm(hasEdns, isTrial, mixesCase, other);
    }
}
