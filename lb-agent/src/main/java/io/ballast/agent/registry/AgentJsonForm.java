package io.ballast.agent.registry;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.ballast.core.ErrorText;
import io.ballast.dashboard.json.JsonObject;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The JSON form of {@link AgentIdentity} and {@link RuntimeToken}, in files and in the facts of a cluster. */
public final class AgentJsonForm {

    private AgentJsonForm() {}

    // ---- facts

    /** Returns an identity as text. */
    public static String text(AgentIdentity identity) {
        return text(json -> writeFields(json, identity));
    }

    /** Returns a token as text. */
    public static String text(RuntimeToken token) {
        return text(json -> writeFields(json, token));
    }

    /**
     * Reads an identity.
     *
     * @throws IOException if the text is not an identity
     */
    public static AgentIdentity identity(String text) throws IOException {
        return parse(text, AgentJsonForm::identity);
    }

    /**
     * Reads a token.
     *
     * @throws IOException if the text is not a token
     */
    public static RuntimeToken token(String text) throws IOException {
        return parse(text, AgentJsonForm::token);
    }

    private interface Fields {
        void write(JsonGenerator json) throws IOException;
    }

    private static String text(Fields fields) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            json.writeStartObject();
            fields.write(json);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a StringWriter never fails
        }
        return text.toString();
    }

    private interface Form<T> {
        T of(Map<?, ?> fields);
    }

    private static <T> T parse(String text, Form<T> form) throws IOException {
        try {
            return form.of(JsonObject.read(text.getBytes(StandardCharsets.UTF_8)));
        } catch (IllegalArgumentException | DateTimeParseException e) {
            throw new IOException("not a valid agent or token: " + ErrorText.of(e), e);
        }
    }

    // ---- parts of documents

    static void writeFields(JsonGenerator json, AgentIdentity identity) throws IOException {
        json.writeStringField("id", identity.id());
        json.writeStringField("secret_sha256", identity.secretHash());
        json.writeStringField("token", identity.token());
        writeTexts(json, "pools", identity.pools());
        writeTexts(json, "pending_pools", identity.pendingPools());
        json.writeBooleanField("revoked", identity.isRevoked());
        json.writeStringField("created", identity.created().toString());
        json.writeStringField("used", identity.used().toString());
    }

    static void writeFields(JsonGenerator json, RuntimeToken token) throws IOException {
        json.writeStringField("hash", token.hash());
        json.writeStringField("name", token.name());
        writeTexts(json, "pools", token.pools());
        if (token.expires().isPresent()) {
            json.writeStringField("expires", token.expires().get().toString());
        }
        json.writeBooleanField("revoked", token.isRevoked());
    }

    private static void writeTexts(JsonGenerator json, String name, List<String> texts) throws IOException {
        json.writeArrayFieldStart(name);
        for (String each : texts) {
            json.writeString(each);
        }
        json.writeEndArray();
    }

    static AgentIdentity identity(Map<?, ?> fields) {
        return new AgentIdentity(
                text(fields, "id"),
                text(fields, "secret_sha256"),
                text(fields, "token"),
                texts(fields, "pools"),
                texts(fields, "pending_pools"),
                Boolean.TRUE.equals(fields.get("revoked")),
                Instant.parse(text(fields, "created")),
                Instant.parse(text(fields, "used")));
    }

    static RuntimeToken token(Map<?, ?> fields) {
        return new RuntimeToken(
                text(fields, "hash"),
                text(fields, "name"),
                texts(fields, "pools"),
                Optional.of(text(fields, "expires"))
                        .filter(text -> !text.isEmpty())
                        .map(Instant::parse),
                Boolean.TRUE.equals(fields.get("revoked")));
    }

    static String text(Map<?, ?> fields, String name) {
        return Objects.toString(fields.get(name), "");
    }

    static List<?> list(Map<?, ?> fields, String name) {
        return fields.get(name) instanceof List<?> list ? list : List.of();
    }

    private static List<String> texts(Map<?, ?> fields, String name) {
        return list(fields, name).stream().map(Objects::toString).toList();
    }
}
