package io.ballast.dns.forward.upstream;

import org.jspecify.annotations.Nullable;

/**
 * The form of a query for one server.
 *
 * <p>Thread safety: immutable. Callers must not modify the cookie.
 *
 * @param hasEdns whether the query has an OPT record
 * @param isEdnsTrial whether the query omits the OPT record to test whether the server answers without EDNS
 * @param mixesCase whether the letters of the name have random case
 * @param cookie the cookie that the server requested; null for none
 */
@SuppressWarnings("ArrayRecordComponent") // instances are never compared
record QueryForm(boolean hasEdns, boolean isEdnsTrial, boolean mixesCase, byte @Nullable [] cookie) {

    /** Returns the form with EDNS and without a cookie. */
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
