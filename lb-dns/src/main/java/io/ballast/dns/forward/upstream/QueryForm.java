package io.ballast.dns.forward.upstream;

import org.jspecify.annotations.Nullable;

/**
 * How a question is written for one server.
 *
 * <p>Thread safety: immutable. Not to be written to: the cookie.
 *
 * @param hasEdns whether there is an OPT record
 * @param isEdnsTrial whether it has none only to find out whether the server answers then
 * @param mixesCase whether letters of the name have a random case
 * @param cookie that the server asked for; null for none
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record QueryForm(boolean hasEdns, boolean isEdnsTrial, boolean mixesCase, byte @Nullable [] cookie) {

    /** With EDNS, and without a cookie. */
    static QueryForm standard(boolean mixesCase) {
        return new QueryForm(/* hasEdns= */ true, /* isEdnsTrial= */ false, mixesCase, /* cookie= */ null);
    }

    QueryForm withoutEdns() {
        return new QueryForm(/* hasEdns= */ false, /* isEdnsTrial= */ false, mixesCase, /* cookie= */ null);
    }

    QueryForm withLowerCase() {
        return new QueryForm(hasEdns, isEdnsTrial, /* mixesCase= */ false, cookie);
    }

    QueryForm withCookie(byte[] newCookie) {
        return new QueryForm(hasEdns, isEdnsTrial, mixesCase, newCookie);
    }
}
