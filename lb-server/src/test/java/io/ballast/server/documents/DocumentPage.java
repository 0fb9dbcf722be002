package io.ballast.server.documents;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.config.BallastConfig;
import io.ballast.config.load.ConfigLoader;
import io.ballast.core.pool.Topology;
import io.ballast.core.pool.TopologyBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** A page of the documentation. */
record DocumentPage(String path) {

    static final Path ROOT = Path.of("..");

    private static final Pattern YAML = Pattern.compile("```yaml\\n(.*?)```", Pattern.DOTALL);

    String text() {
        try {
            return Files.readString(ROOT.resolve(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns all matches of a pattern in the text; there must be at least one. */
    List<MatchResult> matches(Pattern pattern) {
        List<MatchResult> matches = pattern.matcher(text()).results().toList();
        assertThat(matches).as(path + ": " + pattern).isNotEmpty();
        return matches;
    }

    /** Returns the only configuration example of the page. */
    String example() {
        List<MatchResult> examples = matches(YAML);
        assertThat(examples).hasSize(1);
        return examples.get(0).group(1);
    }

    /** Writes the only configuration example of the page to a file in {@code directory}, and loads it. */
    BallastConfig loadExample(Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("example.yaml"), example());
        return new ConfigLoader(name -> null).load(file).config();
    }

    static Topology topology(BallastConfig config) {
        return new TopologyBuilder(
                        address -> new InetSocketAddress(address.host(), address.port()),
                        /* shards= */ 1,
                        Clock.systemUTC())
                .build(config.pools());
    }
}
