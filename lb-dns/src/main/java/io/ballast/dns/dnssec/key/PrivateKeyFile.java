package io.ballast.dns.dnssec.key;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A private key file in the format of BIND's tools ({@code Private-key-format: v1.3}). Unknown fields are kept.
 *
 * <p>Thread safety: confined to one thread.
 */
final class PrivateKeyFile {

    private static final String FORMAT = "Private-key-format";
    private static final String ALGORITHM = "Algorithm";
    private static final String PRIVATE_KEY = "PrivateKey";
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuuMMddHHmmss");

    private final Map<String, String> fields;

    private PrivateKeyFile(Map<String, String> fields) {
        this.fields = fields;
    }

    static PrivateKeyFile of(SigningKey key, KeyTimes times) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put(FORMAT, "v1.3");
        fields.put(ALGORITHM, key.algorithm().number() + " (" + key.algorithm() + ")");
        byte[] secret = key.algorithm().privateBytes(key.privateKey());
        fields.put(PRIVATE_KEY, Base64.getEncoder().encodeToString(secret));
        PrivateKeyFile file = new PrivateKeyFile(fields);
        file.set(times);
        return file;
    }

    /** @throws IllegalArgumentException if the text has the wrong format; the message contains no part of a key */
    static PrivateKeyFile parse(String text) {
        Map<String, String> fields = new LinkedHashMap<>();
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            int colon = line.indexOf(':');
            if (line.isBlank()) {
                continue;
            }
            if (colon < 1
                    || fields.put(
                                    line.substring(0, colon),
                                    line.substring(colon + 1).trim())
                            != null) {
                throw new IllegalArgumentException(
                        "line " + number + ": invalid (expected: a unique name, a colon, a value)");
            }
        }
        PrivateKeyFile file = new PrivateKeyFile(fields);
        if (!file.field(FORMAT).matches("v1\\.[0-9]+")) {
            throw new IllegalArgumentException(FORMAT + ": " + file.field(FORMAT) + " (expected: v1.2 or v1.3)");
        }
        return file;
    }

    KeyAlgorithm algorithm() {
        String number = field(ALGORITHM).replaceFirst(" .*", "");
        if (!number.matches("[0-9]{1,3}")) {
            throw new IllegalArgumentException(ALGORITHM + ": invalid (expected: a number)");
        }
        return KeyAlgorithm.ofNumber(Integer.parseInt(number));
    }

    byte[] privateBytes() {
        try {
            return Base64.getDecoder().decode(field(PRIVATE_KEY));
        } catch (IllegalArgumentException e) {
            // The cause is omitted, because the decoder's message contains a character of the key.
            throw new IllegalArgumentException(PRIVATE_KEY + ": expected: base64");
        }
    }

    KeyTimes times() {
        return new KeyTimes(
                time("Created"),
                time("Publish"),
                time("Activate"),
                time("Inactive"),
                time("Delete"),
                time("DSPublish"));
    }

    void set(KeyTimes times) {
        put("Created", times.created());
        put("Publish", times.publish());
        put("Activate", times.activate());
        put("Inactive", times.inactive());
        put("Delete", times.delete());
        put("DSPublish", times.dsPublish());
    }

    String text() {
        StringBuilder text = new StringBuilder();
        fields.forEach(
                (name, value) -> text.append(name).append(": ").append(value).append('\n'));
        return text.toString();
    }

    private String field(String name) {
        String value = fields.get(name);
        if (value == null) {
            throw new IllegalArgumentException("line '" + name + ":' is missing");
        }
        return value;
    }

    private @Nullable Instant time(String name) {
        String value = fields.get(name);
        if (value == null) {
            return null;
        }
        try {
            return LocalDateTime.parse(value, TIME).toInstant(ZoneOffset.UTC);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: a time such as 20261121093000)", e);
        }
    }

    private void put(String name, @Nullable Instant time) {
        if (time == null) {
            fields.remove(name);
        } else {
            fields.put(name, TIME.format(time.atOffset(ZoneOffset.UTC)));
        }
    }
}
