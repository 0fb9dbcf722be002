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
import java.time.format.DateTimeParseException;
import java.util.Map;

/** The form of {@link SavedAgents} in a file. */
public final class SavedAgentsJson {

    private SavedAgentsJson() {}

    /** Returns the content of the file. */
    public static byte[] write(SavedAgents saved) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = new JsonFactory().createGenerator(bytes, JsonEncoding.UTF8)) {
            json.setPrettyPrinter(new DefaultPrettyPrinter());
            json.writeStartObject();
            json.writeArrayFieldStart("tokens");
            for (RuntimeToken each : saved.tokens()) {
                json.writeStartObject();
                AgentJsonForm.writeFields(json, each);
                json.writeEndObject();
            }
            json.writeEndArray();
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
        json.writeStartObject();
        AgentJsonForm.writeFields(json, agent.identity());
        json.writeBooleanField("shared", agent.isShared());
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

    /**
     * Reads the content of the file.
     *
     * @throws IOException if it is not in the form of {@link #write}; the message says what is wrong
     */
    public static SavedAgents read(byte[] bytes) throws IOException {
        try {
            Map<String, Object> root = JsonObject.read(bytes);
            return new SavedAgents(
                    AgentJsonForm.list(root, "agents").stream()
                            .map(each -> agent((Map<?, ?>) each))
                            .toList(),
                    AgentJsonForm.list(root, "tokens").stream()
                            .map(each -> AgentJsonForm.token((Map<?, ?>) each))
                            .toList());
        } catch (IllegalArgumentException | ClassCastException | DateTimeParseException e) {
            throw new IOException("not a list of agents: " + ErrorText.of(e), e);
        }
    }

    private static SavedAgents.SavedAgent agent(Map<?, ?> fields) {
        return new SavedAgents.SavedAgent(
                AgentJsonForm.identity(fields),
                Boolean.TRUE.equals(fields.get("shared")),
                AgentJsonForm.list(fields, "backends").stream()
                        .map(each -> backend((Map<?, ?>) each))
                        .toList());
    }

    private static ReportedBackend backend(Map<?, ?> fields) {
        return new ReportedBackend(
                new BackendKey(
                        AgentJsonForm.text(fields, "pool"),
                        new HostPort(
                                AgentJsonForm.text(fields, "host"),
                                Integer.parseInt(AgentJsonForm.text(fields, "port")))),
                Integer.parseInt(AgentJsonForm.text(fields, "weight")),
                AgentReport.State.valueOf(AgentJsonForm.text(fields, "state").toUpperCase(java.util.Locale.ROOT)),
                AgentJsonForm.text(fields, "reason"),
                Integer.parseInt(AgentJsonForm.text(fields, "weight_tenths")));
    }
}
