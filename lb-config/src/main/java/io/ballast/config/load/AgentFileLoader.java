package io.ballast.config.load;

import io.ballast.agent.config.AgentConfig;
import io.ballast.config.key.ReadContext;
import io.ballast.config.keys.agent.AgentKeys;
import io.ballast.config.view.HiddenSecrets;
import io.ballast.config.yaml.Node;
import io.ballast.config.yaml.Problem;
import io.ballast.config.yaml.Problems;
import io.ballast.config.yaml.Variables;
import io.ballast.config.yaml.YamlWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads the configuration files of agents. Thread safety: immutable; loads are independent of each other. */
public final class AgentFileLoader {

    private final Variables variables;

    /**
     * Creates a loader that replaces {@code ${NAME}} in files by the result of {@code environment}, which returns null for
     * an unset name.
     */
    public AgentFileLoader(Function<String, @Nullable String> environment) {
        this.variables = new Variables(environment);
    }

    /** Returns a loader that uses the environment of the process. */
    public static AgentFileLoader ofProcess() {
        return new AgentFileLoader(System::getenv);
    }

    /** The configuration of an agent from a file without errors, and the warnings about the file. */
    public record LoadedAgent(AgentConfig config, List<Problem> warnings) {

        /**
         * Returns the text of a file with this configuration and every default filled in.
         *
         * @param showSecrets whether the token and other secrets are shown
         */
        public String explain(boolean showSecrets) {
            Map<String, Object> tree = AgentKeys.FILE.print(config);
            return YamlWriter.write(showSecrets ? tree : HiddenSecrets.hideSecrets(tree));
        }
    }

    /**
     * Reads a file.
     *
     * @throws ConfigException with all problems
     */
    public LoadedAgent load(Path file) throws ConfigException {
        Problems problems = new Problems();
        FileTree files = new FileTree(variables, problems);
        Optional<Node> root = files.read(file, FileText.OF_FILE);
        ReadContext reading = new ReadContext(problems, files.isComplete());
        Optional<AgentConfig> config = Optional.empty();
        if (root.isPresent() && root.get() instanceof Node.Mapping mapping) {
            config = AgentKeys.FILE.read(mapping, reading);
        } else if (root.isPresent()) {
            reading.mismatch(root.get(), "a mapping with the keys 'agent' and 'register'");
        }
        if (config.isEmpty() || problems.hasErrors()) {
            throw new ConfigException(problems.errors(), problems.warnings(), new Sources(Map.of(), Map.of()));
        }
        return new LoadedAgent(config.get(), problems.warnings());
    }

    /** Returns whether a file is the configuration of an agent; false if it cannot be read. */
    public boolean isAgentFile(Path file) {
        return new FileTree(variables, new Problems())
                .read(file, FileText.OF_FILE)
                .filter(root -> root instanceof Node.Mapping mapping
                        && mapping.entry(AgentKeys.AGENT_KEY).isPresent())
                .isPresent();
    }
}
