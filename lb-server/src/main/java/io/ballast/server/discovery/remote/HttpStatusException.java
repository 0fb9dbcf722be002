package io.ballast.server.discovery.remote;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** A server answered, and not with what was asked for. The message has the beginning of what it says. */
public final class HttpStatusException extends IOException {

    private static final long serialVersionUID = 1;
    private static final int MOST_CHARACTERS = 300;

    private final int status;

    /** @param body an object of JSON with a {@code message}, as Kubernetes and Docker send it, or plain text */
    public HttpStatusException(int status, byte[] body) {
        super("status " + status + said(body));
        this.status = status;
    }

    public int status() {
        return status;
    }

    private static String said(byte[] body) {
        String text = message(body).replaceAll("[\\s\\p{Cntrl}]+", " ").strip();
        if (text.isEmpty()) {
            return "";
        }
        return ": " + (text.length() > MOST_CHARACTERS ? text.substring(0, MOST_CHARACTERS) + "..." : text);
    }

    private static String message(byte[] body) {
        StringBuilder message = new StringBuilder();
        try (JsonWalk json = JsonWalk.through(body)) {
            json.object(field -> {
                if (field.equals("message")) {
                    message.append(json.text());
                }
            });
        } catch (IOException e) {
            return new String(body, 0, Math.min(body.length, 4 * MOST_CHARACTERS), StandardCharsets.UTF_8);
        }
        return message.toString();
    }
}
