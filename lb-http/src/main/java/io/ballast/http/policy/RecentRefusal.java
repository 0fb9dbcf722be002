package io.ballast.http.policy;

import io.ballast.core.net.IpAddress;
import io.ballast.http.route.request.RoutedRequest;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;

/** A request that a policy has refused, or would have refused without {@code dry_run}. Immutable. */
public final class RecentRefusal {

    /** Longer methods and paths are truncated to this number of bytes. */
    static final int MAX_BYTES = 256;

    private static final String TRUNCATION_MARK = "[...]";

    private final long epochMillis;
    private final byte[] client;
    private final String identity;
    private final byte[] route;
    private final byte[] method;
    private final byte[] path;
    private final int status;
    private final String reason;
    private final boolean dryRun;

    private RecentRefusal(
            PolicyRequest refused, byte[] method, byte[] path, int status, String reason, boolean dryRun) {
        this.epochMillis = refused.worker.timeMillis();
        this.client = refused.client();
        this.identity = refused.identity().name();
        this.route = refused.route();
        this.method = method;
        this.path = path;
        this.status = status;
        this.reason = reason;
        this.dryRun = dryRun;
    }

    /** Describes the refusal of a request whose head is readable. Copies the method and the path without its query. */
    static RecentRefusal of(PolicyRequest refused, int status, String reason, boolean dryRun) {
        RoutedRequest request = refused.request();
        byte[] bytes = request.bytes();
        int pathEnd = request.pathStart();
        while (pathEnd < request.pathEnd() && bytes[pathEnd] != '?') {
            pathEnd++;
        }
        return new RecentRefusal(
                refused,
                copy(bytes, request.methodStart(), request.methodEnd()),
                copy(bytes, request.pathStart(), pathEnd),
                status,
                reason,
                dryRun);
    }

    /** Copies at most one byte more than is shown, so that readers recognize a truncated text. */
    private static byte[] copy(byte[] bytes, int from, int to) {
        return Arrays.copyOfRange(bytes, from, Math.min(to, from + MAX_BYTES + 1));
    }

    private static String text(byte[] bytes) {
        return bytes.length > MAX_BYTES
                ? new String(bytes, 0, MAX_BYTES, StandardCharsets.UTF_8) + TRUNCATION_MARK
                : new String(bytes, StandardCharsets.UTF_8);
    }

    public Instant time() {
        return Instant.ofEpochMilli(epochMillis);
    }

    /** The client's address; empty for a client at a Unix socket. */
    public String client() {
        return client.length == 0 ? "" : IpAddress.of(client).toString();
    }

    /** The name of the identity that an earlier policy has authenticated; empty for none. */
    public String identity() {
        return identity;
    }

    /** A text that identifies the route among the routes of all listeners. */
    public String route() {
        return new String(route, StandardCharsets.UTF_8);
    }

    public String method() {
        return text(method);
    }

    /** The path as the client sent it, without its query. */
    public String path() {
        return path.length == 0 ? "/" : text(path);
    }

    /** The status of the response; with {@code dry_run}, the status that the response would have had. */
    public int status() {
        return status;
    }

    /** The reason, as in the access log. */
    public String reason() {
        return reason;
    }

    /** Whether the refusal had no effect, because the policy has {@code dry_run}. */
    public boolean isDryRun() {
        return dryRun;
    }
}
