package io.ballast.http.route.destination;

import io.ballast.http.config.RouteAction;
import io.ballast.http.header.CompiledHeaderChanges;
import java.nio.charset.StandardCharsets;

/**
 * A response that is the same for all clients. Its head is composed in advance, up to the {@code Date} value.
 */
public final class FixedResponse {

    private final int status;
    private final byte[] head;
    private final byte[] body;

    private FixedResponse(int status, byte[] head, byte[] body) {
        this.status = status;
        this.head = head;
        this.body = body;
    }

    /**
     * @param edits the header rules, which may remove the {@code Content-Type} that this method generates; header
     *     lines that the rules add are not part of the result
     */
    public static FixedResponse of(RouteAction.Respond respond, CompiledHeaderChanges edits) {
        byte[] body = respond.body().getBytes(StandardCharsets.UTF_8);
        boolean bodiless = respond.status() == 204 || respond.status() == 304;
        String length = bodiless ? "" : "Content-Length: " + body.length + "\r\n";
        String type = edits.removes("Content-Type") ? "" : "Content-Type: " + respond.contentType() + "\r\n";
        String head = "HTTP/1.1 " + respond.status() + " " + ReasonPhrases.of(respond.status()) + "\r\n" + type + length
                + "Date: ";
        return new FixedResponse(
                respond.status(), head.getBytes(StandardCharsets.US_ASCII), bodiless ? new byte[0] : body);
    }

    public int status() {
        return status;
    }

    /** The status line and headers, up to and including {@code "Date: "}. Must not be modified. */
    public byte[] head() {
        return head;
    }

    /** The body. Must not be modified. */
    public byte[] body() {
        return body;
    }
}
