package io.ballast.config.imports;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Converts the media types of compressed responses. */
public final class ImportedMediaTypes {

    private static final String TYPE = "[a-z0-9][a-z0-9!#$&^_.+-]*/[a-z0-9][a-z0-9!#$&^_.+-]*";

    private ImportedMediaTypes() {}

    /**
     * Adds the words that are media types to {@code types}, in lower case.
     *
     * @return a note for each word that is not a media type
     */
    public static List<String> addTo(Set<String> types, List<String> words) {
        List<String> notes = new ArrayList<>();
        for (String word : words) {
            String type = word.toLowerCase(Locale.ROOT);
            if (type.matches(TYPE)) {
                types.add(type);
            } else {
                notes.add("unsupported media type, ignored: " + word);
            }
        }
        return notes;
    }
}
