package io.ballast.http.policy;

import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.head.ByteClasses;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The effects of the policies of a request, except their decisions: header lines, the identity, the choice of the
 * fallback pool, copies of the request, and which policies evaluate the response. The effects of one policy can be
 * undone, for {@code dry_run}. Event-loop confined.
 */
final class PolicyEffects {

    final ByteAppender requestLines = new ByteAppender();
    final ByteAppender responseLines = new ByteAppender();
    final ByteAppender defaultLines = new ByteAppender();
    final ResponseSteps responders = new ResponseSteps();
    /** The names of removed request headers, in lower case with hyphens; null until a policy removes one. */
    @Nullable List<byte[]> removedHeaders;

    Identity identity = Identity.UNKNOWN;
    boolean fallback;
    /** The receiver of a copy of the request; null if no policy copies the request. */
    @Nullable RequestCopy requestCopy;

    private int requestLinesBefore;
    private int responseLinesBefore;
    private int defaultLinesBefore;
    private int respondersBefore;
    private int removedBefore;
    private Identity identityBefore = Identity.UNKNOWN;
    private boolean fallbackBefore;
    private @Nullable RequestCopy requestCopyBefore;

    /** Starts a request. */
    void begin() {
        clearLines();
        responders.clear();
        identity = Identity.UNKNOWN;
        fallback = false;
        requestCopy = null;
        requestCopyBefore = null;
    }

    void removeHeader(byte[] name) {
        List<byte[]> removed = removedHeaders;
        if (removed == null) {
            removed = new ArrayList<>();
            removedHeaders = removed;
        }
        removed.add(name);
    }

    /** Removes all header lines. */
    void clearLines() {
        requestLines.clear();
        responseLines.clear();
        defaultLines.clear();
        removedHeaders = null;
    }

    /** Saves the current effects, so that {@link #undo} can remove the effects of the next policy. */
    void mark() {
        requestLinesBefore = requestLines.length();
        responseLinesBefore = responseLines.length();
        defaultLinesBefore = defaultLines.length();
        respondersBefore = responders.count();
        removedBefore = removedHeaders == null ? 0 : removedHeaders.size();
        identityBefore = identity;
        fallbackBefore = fallback;
        requestCopyBefore = requestCopy;
    }

    /** Removes the effects since {@link #mark}. */
    void undo() {
        requestLines.truncate(requestLinesBefore);
        responseLines.truncate(responseLinesBefore);
        defaultLines.truncate(defaultLinesBefore);
        responders.truncate(respondersBefore);
        if (removedHeaders != null) {
            removedHeaders.subList(removedBefore, removedHeaders.size()).clear();
        }
        identity = identityBefore;
        fallback = fallbackBefore;
        requestCopy = requestCopyBefore;
    }

    /**
     * Removes response lines that were added before {@link #mark} if a line with the same name was added after it.
     *
     * @param names the names to look for, in lower case
     */
    void replaceEarlierLines(byte[][] names) {
        for (byte[] name : names) {
            if (find(name, responseLinesBefore, responseLines.length()) < 0) {
                continue;
            }
            int at = find(name, 0, responseLinesBefore);
            while (at >= 0) {
                int end = lineEnd(at);
                responseLines.delete(at, end);
                responseLinesBefore -= end - at;
                at = find(name, at, responseLinesBefore);
            }
        }
    }

    /** Returns the start of the first response line with this name in {@code [from, to)}; -1 for none. */
    private int find(byte[] name, int from, int to) {
        byte[] bytes = responseLines.bytes();
        for (int start = from; start < to; start = lineEnd(start)) {
            int nameEnd = start + name.length;
            if (nameEnd < to && bytes[nameEnd] == ':' && ByteClasses.equalsIgnoreCase(bytes, start, nameEnd, name)) {
                return start;
            }
        }
        return -1;
    }

    private int lineEnd(int start) {
        byte[] bytes = responseLines.bytes();
        int at = start;
        while (at < responseLines.length() && bytes[at] != ByteClasses.LF) {
            at++;
        }
        return at + 1;
    }
}
