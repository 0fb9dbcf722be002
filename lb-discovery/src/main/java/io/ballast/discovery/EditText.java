package io.ballast.discovery;

import io.ballast.core.ErrorText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.util.Map;

/**
 * One edit as a text that other nodes can read: the content of {@link EditFile} with one edit. It contains the entry of
 * the configuration file, so that the edit applies only on nodes with the same entry.
 */
final class EditText {

    private EditText() {}

    static String of(BackendEdits.Key key, BackendEdit edit) {
        try {
            return new String(EditFile.bytes(new BackendEdits(Map.of(key, edit))), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @throws IllegalArgumentException if the text does not contain exactly one edit */
    static Map.Entry<BackendEdits.Key, BackendEdit> parse(String text) {
        Map<BackendEdits.Key, BackendEdit> edits;
        try {
            edits = EditFile.parse(text.getBytes(StandardCharsets.UTF_8)).all();
        } catch (IOException | DateTimeException e) {
            throw new IllegalArgumentException(ErrorText.of(e), e);
        }
        if (edits.size() != 1) {
            throw new IllegalArgumentException("a list of " + edits.size() + " edits (expected: one)");
        }
        return edits.entrySet().iterator().next();
    }
}
