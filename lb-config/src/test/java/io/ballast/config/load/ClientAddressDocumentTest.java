package io.ballast.config.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.config.Forwarding;
import io.ballast.http.config.ForwardingHeader;
import io.ballast.http.config.ListenerConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the complete examples in docs/guides/client-address.md have the effect that the guide describes. */
class ClientAddressDocumentTest {

    private static final Pattern EXAMPLE = Pattern.compile("```yaml\\n(.*?)```", Pattern.DOTALL);

    @TempDir
    private Path directory;

    @Test
    void forwardingExampleAppendsOneHeaderAndOverwritesOthers() throws Exception {
        ListenerConfig listener = listener("forwarding: {");

        assertThat(listener.forwarding().general()).isEqualTo(Forwarding.OVERWRITE);
        assertThat(listener.forwarding().named())
                .isEqualTo(Map.of(ForwardingHeader.X_FORWARDED_FOR, Forwarding.APPEND));
        assertThat(listener.forwardingHeaders())
                .containsExactly(ForwardingHeader.X_FORWARDED_FOR, ForwardingHeader.X_FORWARDED_PROTO);
    }

    /** Loads the only example that contains a text; returns its first listener. */
    private ListenerConfig listener(String text) throws Exception {
        String document = ConfigFiles.text(ConfigFiles.ROOT.resolve("docs/guides/client-address.md"));
        String example = EXAMPLE.matcher(document)
                .results()
                .map(result -> result.group(1))
                .filter(yaml -> yaml.contains(text))
                .reduce((one, other) -> {
                    throw new AssertionError("two examples contain " + text);
                })
                .orElseThrow();
        return ConfigFiles.loader()
                .load(Files.writeString(directory.resolve("example.yaml"), example))
                .config()
                .listeners()
                .get(0);
    }
}
