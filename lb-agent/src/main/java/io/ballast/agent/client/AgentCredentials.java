package io.ballast.agent.client;

import io.ballast.agent.config.AgentConfig;
import io.ballast.agent.registry.AgentIdentity;
import io.ballast.core.Checks;
import io.ballast.core.ErrorText;
import io.ballast.core.state.StateFile;
import io.ballast.dashboard.access.Secrets;
import io.ballast.dashboard.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The id and the secret of an agent. They are created at the first start, and stored in a file that only the user of
 * the process can read.
 */
record AgentCredentials(String id, String secret) {

    static final String NAME = "agent.json";

    private static final int MAX_BYTES = 4_096;
    private static final int ID_BYTES = 4;
    private static final int MAX_HOST = 50;

    /**
     * Reads the file, or creates it.
     *
     * @throws IOException if the file cannot be read or written; the message names it
     */
    static AgentCredentials of(AgentConfig config) throws IOException {
        StateFile file = new StateFile(config.dataDir().resolve(NAME), MAX_BYTES);
        try {
            Optional<byte[]> known = file.read();
            if (known.isPresent()) {
                AgentCredentials stored = parse(known.get());
                return config.id().isEmpty() || config.id().get().equals(stored.id())
                        ? stored
                        : store(new AgentCredentials(config.id().get(), stored.secret()), file);
            }
            return store(
                    new AgentCredentials(config.id().orElseGet(AgentCredentials::newId), Secrets.generateToken()),
                    file);
        } catch (IOException e) {
            throw new IOException(
                    "cannot use the file with the secret of the agent, " + file.path() + ": " + ErrorText.reason(e), e);
        }
    }

    private static AgentCredentials store(AgentCredentials credentials, StateFile file) throws IOException {
        file.replace(("{\"id\": \"" + credentials.id() + "\", \"secret\": \"" + credentials.secret() + "\"}\n")
                .getBytes(StandardCharsets.UTF_8));
        return credentials;
    }

    private static AgentCredentials parse(byte[] bytes) throws IOException {
        Map<String, Object> fields = JsonObject.read(bytes);
        AgentCredentials stored = new AgentCredentials(
                Objects.toString(fields.get("id"), ""), Objects.toString(fields.get("secret"), ""));
        try {
            Checks.that(stored.id().matches(AgentIdentity.ID_PATTERN), "id", stored.id(), "the id of an agent");
            Checks.that(!stored.secret().isEmpty(), "secret", "none", "a secret");
        } catch (IllegalArgumentException e) {
            throw new IOException(ErrorText.of(e), e);
        }
        return stored;
    }

    /** Returns the host name with random digits, so that copies of a machine have different ids. */
    private static String newId() {
        String host;
        try {
            host = InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            host = "agent";
        }
        String name = host.replaceAll("[^A-Za-z0-9.-]", "-").replaceFirst("^[.-]+", "");
        byte[] digits = new byte[ID_BYTES];
        new SecureRandom().nextBytes(digits);
        return name.substring(0, Math.min(name.length(), MAX_HOST))
                + (name.isEmpty() ? "agent-" : "-")
                + HexFormat.of().formatHex(digits);
    }

    @Override
    public String toString() {
        return "AgentCredentials[" + id + "]";
    }
}
