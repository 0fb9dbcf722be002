package io.ballast.agent.registry;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import io.ballast.core.ErrorText;
import io.ballast.core.backend.AgentReport;
import io.ballast.core.config.HostPort;
import io.ballast.dashboard.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The form of {@link SavedAgents} in a file. */
public final class SavedAgentsJson {

    private SavedAgentsJson() {}

    /** Returns the content of the file. */
    public static byte[] write(SavedAgents saved) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = new JsonFactory().createGenerator(bytes, JsonEncoding.UTF8)) {
            json.setPrettyPrinter(new DefaultPrettyPrinter());
            json.writeStartObject();
            writeTexts(json, "revoked_tokens", saved.revokedTokens());
            json.writeArrayFieldStart("agents");
            for (SavedAgents.SavedAgent each : saved.agents()) {
                writeAgent(json, each);
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        return bytes.toByteArray();
    }

    private static void writeAgent(JsonGenerator json, SavedAgents.SavedAgent agent) throws IOException {
        AgentIdentity identity = agent.identity();
        json.writeStartObject();
        json.writeStringField("id", identity.id());
        json.writeStringField("secret_sha256", identity.secretHash());
        json.writeStringField("token", identity.token());
        writeTexts(json, "pools", identity.pools());
        writeTexts(json, "pending_pools", identity.pendingPools());
        json.writeBooleanField("revoked", identity.isRevoked());
        json.writeStringField("created", identity.created().toString());
        json.writeArrayFieldStart("backends");
        for (ReportedBackend each : agent.backends()) {
            json.writeStartObject();
            json.writeStringField("pool", each.key().pool());
            json.writeStringField("host", each.key().address().host());
            json.writeNumberField("port", each.key().address().port());
            json.writeNumberField("weight", each.weight());
            json.writeStringField("state", each.state().label());
            json.writeStringField("reason", each.reason());
            json.writeNumberField("weight_tenths", each.weightTenths());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void writeTexts(JsonGenerator json, String name, List<String> texts) throws IOException {
        json.writeArrayFieldStart(name);
        for (String each : texts) {
            json.writeString(each);
        }
        json.writeEndArray();
    }

    /**
     * Reads the content of the file.
     *
     * @throws IOException if it is not in the form of {@link #write}; the message says what is wrong
     */
    public static SavedAgents read(byte[] bytes) throws IOException {
        try {
            Map<String, Object> root = JsonObject.read(bytes);
            List<SavedAgents.SavedAgent> agents = new ArrayList<>();
            for (Object each : list(root, "agents")) {
                agents.add(agent((Map<?, ?>) each));
            }
            return new SavedAgents(agents, texts(root, "revoked_tokens"));
        } catch (IllegalArgumentException | ClassCastException | DateTimeParseException e) {
            throw new IOException("not a list of agents: " + ErrorText.of(e), e);
        }
    }

    private static SavedAgents.SavedAgent agent(Map<?, ?> fields) {
        AgentIdentity identity = new AgentIdentity(
                text(fields, "id"),
                text(fields, "secret_sha256"),
                text(fields, "token"),
                texts(fields, "pools"),
                texts(fields, "pending_pools"),
                Boolean.TRUE.equals(fields.get("revoked")),
                Instant.parse(text(fields, "created")));
        return new SavedAgents.SavedAgent(
                identity,
                list(fields, "backends").stream()
                        .map(each -> backend((Map<?, ?>) each))
                        .toList());
    }

    private static ReportedBackend backend(Map<?, ?> fields) {
        return new ReportedBackend(
                new BackendKey(
                        text(fields, "pool"),
                        new HostPort(text(fields, "host"), Integer.parseInt(text(fields, "port")))),
                Integer.parseInt(text(fields, "weight")),
                AgentReport.State.valueOf(text(fields, "state").toUpperCase(java.util.Locale.ROOT)),
                text(fields, "reason"),
                Integer.parseInt(text(fields, "weight_tenths")));
    }

    private static String text(Map<?, ?> fields, String name) {
        return Objects.toString(fields.get(name), "");
    }

    private static List<?> list(Map<?, ?> fields, String name) {
        return fields.get(name) instanceof List<?> list ? list : List.of();
    }

    private static List<String> texts(Map<?, ?> fields, String name) {
        return list(fields, name).stream().map(Objects::toString).toList();
    }
}
