package io.ballast.http.policy;

import io.ballast.http.bytes.ByteAppender;

/**
 * The effects of the policies of a request, except their decisions: header lines, the identity, the choice of the
 * fallback pool, and which policies see the response. The effects of one policy can be undone, for {@code dry_run}.
 * Event-loop confined.
 */
final class PolicyEffects {

    final ByteAppender requestLines = new ByteAppender();
    final ByteAppender responseLines = new ByteAppender();
    final ByteAppender defaultLines = new ByteAppender();
    final ResponseSteps responders = new ResponseSteps();
    Identity identity = Identity.UNKNOWN;
    boolean fallback;

    private int requestLinesBefore;
    private int responseLinesBefore;
    private int defaultLinesBefore;
    private int respondersBefore;
    private Identity identityBefore = Identity.UNKNOWN;
    private boolean fallbackBefore;

    /** Starts a request. */
    void begin() {
        clearLines();
        responders.clear();
        identity = Identity.UNKNOWN;
        fallback = false;
    }

    /** Removes all header lines. */
    void clearLines() {
        requestLines.clear();
        responseLines.clear();
        defaultLines.clear();
    }

    /** Remembers the state before a policy, for {@link #undo}. */
    void mark() {
        requestLinesBefore = requestLines.length();
        responseLinesBefore = responseLines.length();
        defaultLinesBefore = defaultLines.length();
        respondersBefore = responders.count();
        identityBefore = identity;
        fallbackBefore = fallback;
    }

    /** Removes the effects since {@link #mark}. */
    void undo() {
        requestLines.truncate(requestLinesBefore);
        responseLines.truncate(responseLinesBefore);
        defaultLines.truncate(defaultLinesBefore);
        responders.truncate(respondersBefore);
        identity = identityBefore;
        fallback = fallbackBefore;
    }
}
