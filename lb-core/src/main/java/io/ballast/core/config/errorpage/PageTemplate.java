package io.ballast.core.config.errorpage;

import io.ballast.core.Checks;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text of an error page, with the variables {@code {{request_id}}}, {@code {{status}}} and {@code {{reason}}}.
 * Other names in braces are plain text. Immutable. Two templates are equal if their texts are equal.
 */
public final class PageTemplate {

    /** The maximum length of a page in bytes. All responses share the memory of a page without variables. */
    public static final int MAX_BYTES = 1 << 20;

    /** The maximum length of a page with variables in bytes, because each response has a copy. */
    public static final int MAX_BYTES_WITH_VARIABLES = 64 * 1024;

    /** The maximum number of variables in a page. */
    public static final int MAX_VARIABLES = 64;

    private static final Pattern VARIABLE = Pattern.compile("\\{\\{ ?([A-Za-z][A-Za-z0-9_-]{0,31}) ?}}");

    private enum Variable {
        REQUEST_ID,
        STATUS,
        REASON;

        static boolean isName(String name) {
            return name.equals("request_id") || name.equals("status") || name.equals("reason");
        }
    }

    private final String text;
    private final byte[] bytes;
    /** The texts before, between and after the variables: one more than there are variables. */
    private final List<String> texts = new ArrayList<>();

    private final List<Variable> variables = new ArrayList<>();
    private final List<String> unknown = new ArrayList<>();

    /** @throws IllegalArgumentException if a limit is exceeded */
    public PageTemplate(String text) {
        this.text = text;
        this.bytes = text.getBytes(StandardCharsets.UTF_8);
        Matcher found = VARIABLE.matcher(text);
        int from = 0;
        while (found.find()) {
            String name = found.group(1);
            if (Variable.isName(name)) {
                texts.add(text.substring(from, found.start()));
                variables.add(Variable.valueOf(name.toUpperCase(Locale.ROOT)));
                from = found.end();
            } else if (unknown.size() < MAX_VARIABLES) {
                unknown.add(name);
            }
        }
        texts.add(text.substring(from));
        int max = isConstant() ? MAX_BYTES : MAX_BYTES_WITH_VARIABLES;
        Checks.that(
                bytes.length <= max,
                "page",
                bytes.length + " bytes",
                "at most " + max + (isConstant() ? "" : " bytes for a page with variables"));
        Checks.that(
                variables.size() <= MAX_VARIABLES, "page", variables.size() + " variables", "at most " + MAX_VARIABLES);
    }

    /** Whether the page has no variables, so that {@link #constant} is its body. */
    public boolean isConstant() {
        return variables.isEmpty();
    }

    /** The body of a page without variables, in UTF-8. Callers must not modify it. */
    public byte[] constant() {
        return bytes;
    }

    /**
     * Returns the names in braces that are not variables, for example misspelt ones; at most {@value #MAX_VARIABLES}.
     */
    public List<String> unknownNames() {
        return List.copyOf(unknown);
    }

    /**
     * Returns the body of one response in UTF-8, with the values of the variables.
     *
     * @param format the format for which values are escaped
     */
    public byte[] render(PageFormat format, int status, String reason, String requestId) {
        StringBuilder page = new StringBuilder(text.length() + 256).append(texts.get(0));
        for (int i = 0; i < variables.size(); i++) {
            String value =
                    switch (variables.get(i)) {
                        case REQUEST_ID -> requestId;
                        case STATUS -> Integer.toString(status);
                        case REASON -> reason;
                    };
            page.append(format.escape(value)).append(texts.get(i + 1));
        }
        return page.toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PageTemplate page && text.equals(page.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
