package io.ballast.discovery.remote;

import io.ballast.discovery.source.SourceText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Thrown if a server responds with an unexpected status. The message contains the beginning of the body. */
public final class HttpStatusException extends IOException {

    private static final long serialVersionUID = 1;

    /** The maximum number of bytes to read from a response body; the message shows fewer. */
    private static final int MAX_BYTES = 4096;

    private final int status;

    /** @param body a JSON object with a {@code message}, as Kubernetes and Docker send it, or plain text */
    public HttpStatusException(int status, byte[] body) {
        super("status " + status + describeBody(body));
        this.status = status;
    }

    public int status() {
        return status;
    }

    private static String describeBody(byte[] body) {
        String text = SourceText.oneLine(message(body));
        return text.isEmpty() ? "" : ": " + text;
    }

    private static String message(byte[] body) {
        StringBuilder message = new StringBuilder();
        try (JsonWalk json = JsonWalk.of(body)) {
            json.object(field -> {
                if (field.equals("message")) {
                    message.append(json.text());
                }
            });
        } catch (IOException e) {
            return new String(body, 0, Math.min(body.length, MAX_BYTES), StandardCharsets.UTF_8);
        }
        return message.toString();
    }
}
