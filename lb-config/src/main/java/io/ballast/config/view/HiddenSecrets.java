package io.ballast.config.view;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Replaces secrets in the long form of a configuration by {@value #HIDDEN}. Secrets are the values of keys,
 * headers, parameters and cookies whose names suggest a secret, and users and passwords in URLs. Data that
 * checks send, program arguments, settings of filters in Java, and texts that look like hashes, keys or credentials
 * are also hidden. A new key is hidden if its name contains one of {@link #WORDS}.
 */
public final class HiddenSecrets {

    public static final String HIDDEN = "(hidden)";

    /** A key that contains one of these words is a secret, unless it names a file. */
    private static final Set<String> WORDS = Set.of(
            "apikey",
            "auth",
            "authorization",
            "bearer",
            "credential",
            "credentials",
            "hash",
            "hmac",
            "jwt",
            "passphrase",
            "passwd",
            "password",
            "passwords",
            "pwd",
            "secret",
            "secrets",
            "signature",
            "token",
            "tokens");

    /**
     * Hides the value of a header, parameter or cookie if its name contains one of these words at any position.
     * Header names are stored in lower case, so word boundaries are unknown.
     */
    private static final Pattern SECRET_NAME = Pattern.compile(
            "auth|bearer|cookie|credential|csrf|hash|jwt|key|passcode|passphrase|passw|pwd|secret|sess|signature|token|xsrf");

    /**
     * Words that hide a value only if they occur as whole words, because other words such as "bypass" and
     * "inside" contain them.
     */
    private static final Set<String> SECRET_WORDS = Set.of("pass", "sid");

    /**
     * Keys whose values are secret although they contain none of the secret words: {@code keys} for signing keys, and
     * {@code send} for checks that send credentials.
     */
    private static final Set<String> KEYS = Set.of("keys", "send");

    private static final Set<String> PATH_WORDS = Set.of("file", "files", "dir", "path");

    /** The keys of mappings whose entries are named after headers, parameters and cookies. */
    private static final Set<String> FREE_NAME_KEYS = Set.of("headers", "set", "add", "query", "cookies");

    /** The key of the collector, whose header values are all secret, because each vendor has a header of its own. */
    private static final String OTLP = "otlp";

    private static final String HEADERS = "headers";

    /** The key for the program of a check and its arguments. */
    private static final String COMMAND = "command";

    /** A mapping with this key is a filter in Java. Only the filter knows the meaning of its settings. */
    private static final String JAR = "jar";

    private static final String SETTINGS = "settings";

    private static final Pattern USER_INFO = Pattern.compile("(?<=//)[^/\\s]*(?=@)");
    private static final Pattern PARAMETER = Pattern.compile("(?<=[?&;])([^=&;#?\\s]+)=([^&;#\\s]*)");
    private static final Pattern CREDENTIALS = Pattern.compile("(?i)(basic|bearer|digest|negotiate)\\s+\\S.*");
    private static final Pattern KEY_MATERIAL = Pattern.compile(
            "\\$(2[abxy]|argon2[a-z]*)\\$.*|[0-9A-Fa-f]{32,}|[\\s\\S]*-----BEGIN [A-Z ]*PRIVATE KEY-----[\\s\\S]*");

    private HiddenSecrets() {}

    /** Returns the long form without secrets. */
    public static Map<String, Object> hideSecrets(Map<String, Object> longForm) {
        return mapping(longForm, /* namesAreFree= */ false);
    }

    /** Returns whether the value of a key of the long form is hidden because of the key's name. */
    static boolean isSecret(String key) {
        if (KEYS.contains(key)) {
            return true;
        }
        List<String> words = words(key);
        boolean isPlace = words.size() > 1 && PATH_WORDS.contains(words.get(words.size() - 1));
        return !isPlace && words.stream().anyMatch(WORDS::contains);
    }

    private static Map<String, Object> mapping(Map<?, ?> mapping, boolean namesAreFree) {
        Map<String, Object> shown = new LinkedHashMap<>();
        mapping.forEach((key, value) -> shown.put(key.toString(), entry(key.toString(), value, namesAreFree)));
        if (mapping.containsKey(JAR)) {
            shown.computeIfPresent(SETTINGS, (key, value) -> masked(value, /* mappings= */ true));
        }
        return shown;
    }

    private static Object entry(String key, Object value, boolean namesAreFree) {
        if (namesAreFree) {
            return isSecretName(key) ? masked(value, /* mappings= */ true) : visibleValue(key, value);
        }
        if (isSecret(key)) {
            return masked(value, /* mappings= */ false);
        }
        if (key.equals(OTLP) && value instanceof Map<?, ?> collector) {
            return collector(collector);
        }
        return key.equals(COMMAND) && value instanceof List<?> words ? command(words) : visibleValue(key, value);
    }

    private static Map<String, Object> collector(Map<?, ?> keys) {
        Map<String, Object> shown = mapping(keys, /* namesAreFree= */ false);
        shown.computeIfPresent(HEADERS, (key, headers) -> masked(headers, /* mappings= */ true));
        return shown;
    }

    private static Object visibleValue(String key, Object value) {
        if (value instanceof Map<?, ?> mapping) {
            return mapping(mapping, FREE_NAME_KEYS.contains(key));
        }
        if (value instanceof List<?> list) {
            return list.stream().map(item -> visibleValue("", item)).toList();
        }
        return value instanceof String text ? text(text) : value;
    }

    /** @param mappings whether all values in mappings are secrets; otherwise the key of each value decides */
    private static Object masked(Object value, boolean mappings) {
        if (value instanceof Map<?, ?> mapping) {
            Map<String, Object> shown = new LinkedHashMap<>();
            mapping.forEach((key, each) -> shown.put(
                    key.toString(),
                    mappings ? masked(each, mappings) : entry(key.toString(), each, /* namesAreFree= */ false)));
            return shown;
        }
        if (value instanceof List<?> list) {
            return list.stream().map(item -> masked(item, mappings)).toList();
        }
        return value instanceof Boolean ? value : HIDDEN;
    }

    /** Hides the arguments of a command, but not the program. */
    private static List<Object> command(List<?> words) {
        return words.isEmpty() ? List.of() : words.size() == 1 ? List.copyOf(words) : List.of(words.get(0), HIDDEN);
    }

    private static String text(String text) {
        if (KEY_MATERIAL.matcher(text).matches() || CREDENTIALS.matcher(text).matches()) {
            return HIDDEN;
        }
        return PARAMETER.matcher(USER_INFO.matcher(text).replaceAll(HIDDEN)).replaceAll(found -> {
            boolean secret = isSecretName(found.group(1));
            return Matcher.quoteReplacement(secret ? found.group(1) + "=" + HIDDEN : found.group());
        });
    }

    /** Returns whether the value of a header, parameter or cookie with this name is hidden. */
    private static boolean isSecretName(String name) {
        List<String> words = words(name);
        return SECRET_NAME.matcher(String.join("", words)).find()
                || words.stream().anyMatch(SECRET_WORDS::contains);
    }

    private static List<String> words(String name) {
        return List.of(name.replaceAll("(?<=[a-z0-9])(?=[A-Z])", "-")
                .toLowerCase(Locale.ROOT)
                .split("[^a-z0-9]+"));
    }
}
