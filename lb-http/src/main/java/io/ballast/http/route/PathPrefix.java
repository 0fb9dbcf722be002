package io.ballast.http.route;

import org.jspecify.annotations.Nullable;

/**
 * The routes of one path prefix.
 *
 * @param candidates in the order in which they are tried
 * @param shorter the next shorter prefix that has routes
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and never handed out of the package
record PathPrefix(Candidate[] candidates, @Nullable PathPrefix shorter) {}
