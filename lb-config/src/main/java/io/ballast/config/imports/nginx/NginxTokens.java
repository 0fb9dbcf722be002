package io.ballast.config.imports.nginx;

import io.ballast.config.imports.ImportException;
import org.jspecify.annotations.Nullable;

/** Splits a text into the words and punctuation of nginx's grammar. Thread safety: confined to one thread. */
final class NginxTokens {

    private static final int LONGEST_WORD = 64 * 1024;

    private final String file;
    private final String text;
    private int at;
    private int line = 1;
    private boolean word;

    NginxTokens(String file, String text) {
        this.file = file;
        this.text = text;
    }

    String file() {
        return file;
    }

    /** Returns the current line number; the first line is 1. */
    int line() {
        return line;
    }

    String place() {
        return file + ":" + line;
    }

    /** Returns whether the last token is a word; a quoted word may look like punctuation. */
    boolean isWord() {
        return word;
    }

    /** Returns the next word or punctuation token; null at the end. */
    @Nullable String next() throws ImportException {
        skipBlanks();
        if (at == text.length()) {
            return null;
        }
        char c = text.charAt(at);
        word = c != ';' && c != '{' && c != '}';
        if (!word) {
            at++;
            return String.valueOf(c);
        }
        StringBuilder read = new StringBuilder();
        if (c == '"' || c == '\'') {
            at++;
            readQuoted(c, read);
        } else {
            readUnquoted(read);
        }
        if (read.length() > LONGEST_WORD) {
            throw new ImportException(place() + ": the word is longer than " + LONGEST_WORD + " characters");
        }
        return read.toString();
    }

    private void skipBlanks() {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '#') {
                int end = text.indexOf('\n', at);
                at = end < 0 ? text.length() : end;
            } else if (Character.isWhitespace(c)) {
                line += c == '\n' ? 1 : 0;
                at++;
            } else {
                return;
            }
        }
    }

    private void readQuoted(char quote, StringBuilder read) throws ImportException {
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c == quote) {
                return;
            }
            line += c == '\n' ? 1 : 0;
            append(c, read);
        }
        throw new ImportException(place() + ": missing closing quote");
    }

    private void readUnquoted(StringBuilder read) {
        while (at < text.length()) {
            char c = text.charAt(at);
            boolean opensVariable = c == '{' && read.length() > 0 && read.charAt(read.length() - 1) == '$';
            if (Character.isWhitespace(c) || c == ';' || (c == '{' && !opensVariable)) {
                return;
            }
            at++;
            if (opensVariable) {
                int close = text.indexOf('}', at);
                int end = close < 0 ? text.length() : close + 1;
                read.append('{').append(text, at, end);
                at = end;
            } else {
                append(c, read);
            }
        }
    }

    /**
     * Appends a character. A backslash prevents the next character from ending the word. The backslash itself is
     * kept, because regular expressions need it, except in nginx's own escapes.
     */
    private void append(char c, StringBuilder read) {
        if (c != '\\' || at == text.length()) {
            read.append(c);
            return;
        }
        char next = text.charAt(at++);
        switch (next) {
            case '"', '\'', '\\' -> read.append(next);
            case 'n' -> read.append('\n');
            case 'r' -> read.append('\r');
            case 't' -> read.append('\t');
            default -> read.append(c).append(next);
        }
    }
}
