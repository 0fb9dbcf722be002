package io.ballast.http.h1.client;

import io.ballast.http.head.FieldScanner;
import io.ballast.http.head.HeaderName;
import io.ballast.http.head.RequestMethod;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.head.UpgradeProtocol;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether a request may switch to another protocol (RFC 9110 section 7.8). A request must not switch
 * in ambiguous cases: HTTP/1.0, a request with a body, several {@code Upgrade} lines, or a {@code Connection}
 * header that does not list {@code Upgrade}. Such a request is served without the upgrade.
 */
final class UpgradeRequest {

    private UpgradeRequest() {}

    /** The first allowed protocol that {@code request} offers; null if the request must not switch protocols. */
    static @Nullable UpgradeProtocol protocol(RequestScanner request, List<UpgradeProtocol> allowed) {
        if (!request.hasUpgrade || request.minorVersion == 0 || request.chunked || request.contentLength > 0) {
            return null;
        }
        int line = request.onlyLine(HeaderName.UPGRADE);
        if (line < 0 || !request.isConnectionOption(line)) {
            return null;
        }
        UpgradeProtocol found = firstAllowed(request, line, allowed);
        return found != null && found.needsGet() && request.method != RequestMethod.GET ? null : found;
    }

    private static @Nullable UpgradeProtocol firstAllowed(
            RequestScanner request, int line, List<UpgradeProtocol> allowed) {
        int limit = request.valueEnd[line];
        for (int start = request.valueStart[line]; start < limit; start++) {
            int next = start;
            while (next < limit && request.bytes[next] != ',') {
                next++;
            }
            UpgradeProtocol named = findByName(request.bytes, start, next, allowed);
            if (named != null) {
                return named;
            }
            start = next;
        }
        return null;
    }

    private static @Nullable UpgradeProtocol findByName(
            byte[] bytes, int start, int end, List<UpgradeProtocol> allowed) {
        int from = start;
        int to = end;
        while (from < to && FieldScanner.isBlank(bytes[from])) {
            from++;
        }
        while (to > from && FieldScanner.isBlank(bytes[to - 1])) {
            to--;
        }
        for (UpgradeProtocol protocol : allowed) {
            if (protocol.isNamed(bytes, from, to)) {
                return protocol;
            }
        }
        return null;
    }
}
