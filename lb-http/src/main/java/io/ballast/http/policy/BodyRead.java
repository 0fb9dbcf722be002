package io.ballast.http.policy;

import java.util.concurrent.CompletableFuture;

/**
 * The parameters with which a policy reads the body of a request.
 *
 * @param maxBytes the maximum number of bytes to read
 * @param needsWhole whether the policy needs the whole body, so that a longer body is not read at all
 * @param result completed on the event loop, unless the request ends earlier
 */
public record BodyRead(int maxBytes, boolean needsWhole, CompletableFuture<RequestBody> result) {}
