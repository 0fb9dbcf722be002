package io.ballast.http.files;

import java.nio.charset.StandardCharsets;

/** Composes the head of a file response. */
final class FileHead {

    private final StringBuilder lines = new StringBuilder(512);

    FileHead(int status) {
        lines.append("HTTP/1.1 ")
                .append(status)
                .append(' ')
                .append(phrase(status))
                .append("\r\n");
    }

    FileHead add(String name, Object value) {
        lines.append(name).append(": ").append(value).append("\r\n");
        return this;
    }

    byte[] bytes() {
        return lines.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    /** The body of an error response. */
    static String text(int status) {
        return status + " " + phrase(status) + "\n";
    }

    private static String phrase(int status) {
        return switch (status) {
            case 200 -> "OK";
            case 206 -> "Partial Content";
            case 301 -> "Moved Permanently";
            case 304 -> "Not Modified";
            case 403 -> "Forbidden";
            case 404 -> "Not Found";
            case 405 -> "Method Not Allowed";
            case 412 -> "Precondition Failed";
            case 416 -> "Range Not Satisfiable";
            case 503 -> "Service Unavailable";
            default -> "Internal Server Error";
        };
    }
}
