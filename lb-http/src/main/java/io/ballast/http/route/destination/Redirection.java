package io.ballast.http.route.destination;

import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.config.RouteAction;
import io.ballast.http.header.CompiledHeaderChanges;
import io.ballast.http.route.request.RouteScratch;
import io.ballast.http.route.request.RoutedRequest;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A compiled redirect: its head up to the {@code Location} value, and the location's template. Immutable. */
public final class Redirection {

    private static final int PERMANENT = 308;

    private final int status;
    private final byte[] head;
    private final LocationTemplate template;
    private final @Nullable PathRewriter rewrite;
    private final boolean isLocationRemoved;

    private Redirection(int status, LocationTemplate to, @Nullable PathRewriter rewrite, boolean isCut) {
        this.status = status;
        this.template = to;
        this.rewrite = rewrite;
        this.isLocationRemoved = isCut;
        String head = "HTTP/1.1 " + status + " " + ReasonPhrases.of(status) + "\r\nContent-Length: 0";
        this.head = (isCut ? head : head + "\r\nLocation: ").getBytes(StandardCharsets.US_ASCII);
    }

    /** @param edits the rules that may remove the {@code Location} header */
    static Redirection of(RouteAction.Redirect redirect, @Nullable PathRewriter rewrite, CompiledHeaderChanges edits) {
        LocationTemplate to = LocationTemplate.of(redirect.to());
        return new Redirection(redirect.status(), to, rewrite, edits.removes("Location"));
    }

    /** A redirect of plain HTTP clients to HTTPS on the same host and port; keeps the method. */
    public static Redirection toHttps(CompiledHeaderChanges edits) {
        return of(new RouteAction.Redirect("https://$authority$uri", PERMANENT), /* rewrite= */ null, edits);
    }

    public int status() {
        return status;
    }

    /** The response head up to the value of the {@code Location} header. Must not be modified. */
    public byte[] head() {
        return head;
    }

    /**
     * Composes the location for a request; the result is valid until {@code scratch} is used again. Returns
     * null if the location needs a host and the request has none.
     */
    public @Nullable ByteAppender location(RoutedRequest request, RouteScratch scratch) {
        if (isLocationRemoved) {
            return scratch.emptyBuffer();
        }
        if (template.needsHost() && request.hostStart() == request.hostEnd()) {
            return null;
        }
        ByteAppender target = scratch.emptyBuffer();
        template.append(request, rewrite, scratch, target);
        return target;
    }
}
