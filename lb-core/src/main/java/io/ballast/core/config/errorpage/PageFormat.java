package io.ballast.core.config.errorpage;

/** The formats of error pages, in order of preference for a client that names no format. */
public enum PageFormat {
    HTML("text/html; charset=utf-8"),
    TEXT("text/plain; charset=utf-8"),
    JSON("application/json");

    private final String contentType;

    PageFormat(String contentType) {
        this.contentType = contentType;
    }

    /** The value of {@code Content-Type}. */
    public String contentType() {
        return contentType;
    }

    /** Returns the format of a file, by the extension of its name: .json, .txt, otherwise HTML. */
    public static PageFormat of(String fileName) {
        if (fileName.endsWith(".json")) {
            return JSON;
        }
        return fileName.endsWith(".txt") ? TEXT : HTML;
    }

    /** Escapes the characters of a text that have a special meaning in this format. */
    String escape(String text) {
        return switch (this) {
            case TEXT -> text;
            case HTML ->
                text.replace("&", "&amp;")
                        .replace("<", "&lt;")
                        .replace(">", "&gt;")
                        .replace("\"", "&quot;")
                        .replace("'", "&#39;");
            case JSON -> text.replace("\\", "\\\\").replace("\"", "\\\"");
        };
    }
}
