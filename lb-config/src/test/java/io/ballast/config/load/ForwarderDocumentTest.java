package io.ballast.config.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.config.BallastConfig;
import io.ballast.dns.config.forward.DnsForwardConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the examples in docs/forwarder.md, and config/forward.yaml, can be used without changes. */
class ForwarderDocumentTest {

    private static final Pattern EXAMPLE = Pattern.compile("```yaml\\n(.*?)```", Pattern.DOTALL);

    @TempDir
    private Path directory;

    @Test
    void forwardsWithExamples() throws Exception {
        String document = ConfigFiles.text(ConfigFiles.ROOT.resolve("docs/forwarder.md"));
        List<String> examples = EXAMPLE.matcher(document)
                .results()
                .map(result -> result.group(1))
                .toList();
        assertThat(examples).hasSize(11);
        DnsForwardConfig forward = load(Files.writeString(directory.resolve("example.yaml"), examples.get(0)));
        assertThat(forward).isEqualTo(DnsForwardConfig.of("resolvers"));
        DnsForwardConfig encrypted = load(Files.writeString(directory.resolve("encrypted.yaml"), examples.get(1)));
        assertThat(encrypted.upstreams())
                .allMatch(upstream -> upstream.protocol().usesTls());
        DnsForwardConfig telling = load(Files.writeString(directory.resolve("subnet.yaml"), examples.get(2)));
        assertThat(telling.upstreams())
                .allMatch(upstream -> upstream.clientSubnet().isPresent());
        DnsForwardConfig forwarding = load(Files.writeString(directory.resolve("options.yaml"), examples.get(3)));
        assertThat(forwarding.upstream().ednsOptions()).containsExactly(65_001, 65_074);
        DnsForwardConfig filtering = load(Files.writeString(directory.resolve("filter.yaml"), examples.get(4)));
        assertThat(filtering.filter().orElseThrow().lists()).hasSize(2);
    }

    @Test
    void forwardsWithCompleteFile() throws Exception {
        assertThat(load(ConfigFiles.EXAMPLES.resolve("forward.yaml")).pools()).containsExactly("resolvers", "inside");
    }

    private static DnsForwardConfig load(Path file) throws IOException, ConfigException {
        BallastConfig config = ConfigFiles.loader().load(file).config();
        return config.dns().orElseThrow().forward().orElseThrow();
    }
}
