package io.ballast.config.imports.haproxy;

import io.ballast.config.imports.EnvironmentReference;
import io.ballast.config.imports.ImportException;
import java.util.ArrayList;
import java.util.List;

/**
 * Splits a line into words like HAProxy: blanks separate words, and {@code #} begins a comment. Quotes and
 * backslashes escape characters. Within double quotes, {@code $NAME} and <code>${NAME}</code> are variables.
 */
final class HaproxyTokenizer {

    private static final int MAX_WORDS = 1000;

    private final String place;
    private final String line;
    private final List<String> words = new ArrayList<>();
    private final StringBuilder word = new StringBuilder();
    private boolean inWord;
    private int at;

    private HaproxyTokenizer(String place, String line) {
        this.place = place;
        this.line = line;
    }

    /**
     * Returns the words of a line, or an empty list for a line without words. Error messages contain {@code
     * place}.
     */
    static List<String> words(String place, String line) throws ImportException {
        HaproxyTokenizer tokenizer = new HaproxyTokenizer(place, line);
        tokenizer.run();
        return tokenizer.words;
    }

    private void run() throws ImportException {
        while (at < line.length()) {
            char c = line.charAt(at++);
            if (c == '#') {
                break;
            }
            if (Character.isWhitespace(c)) {
                endWord();
                continue;
            }
            inWord = true;
            switch (c) {
                case '\'' -> readSingleQuoted();
                case '"' -> readDoubleQuoted();
                case '\\' -> readEscape();
                default -> word.append(c);
            }
        }
        endWord();
    }

    private void endWord() throws ImportException {
        if (inWord) {
            words.add(word.toString());
            word.setLength(0);
            inWord = false;
            if (words.size() > MAX_WORDS) {
                throw new ImportException(place + ": more than " + MAX_WORDS + " words");
            }
        }
    }

    private void readSingleQuoted() throws ImportException {
        int close = line.indexOf('\'', at);
        if (close < 0) {
            throw new ImportException(place + ": missing closing quote");
        }
        word.append(line, at, close);
        at = close + 1;
    }

    private void readDoubleQuoted() throws ImportException {
        while (at < line.length()) {
            char c = line.charAt(at++);
            switch (c) {
                case '"' -> {
                    return;
                }
                case '\\' -> readEscape();
                case '$' -> readVariable();
                default -> word.append(c);
            }
        }
        throw new ImportException(place + ": missing closing quote");
    }

    private void readEscape() {
        if (at < line.length()) {
            char c = line.charAt(at++);
            switch (c) {
                case 'n' -> word.append('\n');
                case 'r' -> word.append('\r');
                case 't' -> word.append('\t');
                case ' ', '#', '\\', '"', '\'', '$' -> word.append(c);
                default -> word.append('\\').append(c);
            }
        }
    }

    private void readVariable() throws ImportException {
        boolean braces = at < line.length() && line.charAt(at) == '{';
        int from = braces ? at + 1 : at;
        int to = from;
        while (to < line.length() && (Character.isLetterOrDigit(line.charAt(to)) || line.charAt(to) == '_')) {
            to++;
        }
        String name = line.substring(from, to);
        String fallback = "";
        if (braces) {
            int close = line.indexOf('}', to);
            if (close < 0) {
                throw new ImportException(place + ": missing '}' after a variable");
            }
            String rest = line.substring(to, close);
            fallback = rest.startsWith("-") ? ":" + rest : rest;
            to = close + 1;
        }
        if (!name.matches("[A-Za-z_][A-Za-z0-9_]*") || !fallback.matches("(:-[A-Za-z0-9_./:-]*)?")) {
            throw new ImportException(place + ": invalid variable (expected: $NAME or ${NAME})");
        }
        word.append(EnvironmentReference.placeholder(name + fallback));
        at = to;
    }
}
