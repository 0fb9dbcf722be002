package io.ballast.server.command;

import io.ballast.agent.config.AgentConfig;
import io.ballast.config.load.AgentFileLoader;
import io.ballast.config.load.AgentFileLoader.LoadedAgent;
import io.ballast.config.load.ConfigException;
import io.ballast.config.load.ConfigReport;
import io.ballast.core.ErrorText;
import io.ballast.net.fetch.CaFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/** Checks the file of an agent, for {@code lb check}. */
record AgentCheck(CommandSpec spec, ConfigReport report) {

    /** Reports the problems of the file; returns the exit code. */
    int run(Path file, boolean explain, boolean showSecrets, boolean strict) throws ConfigException {
        LoadedAgent loaded = AgentFileLoader.ofProcess().load(file);
        report.printWarnings(loaded.warnings());
        List<String> problems = problems(loaded.config());
        if (!problems.isEmpty()) {
            return report.printFailure(file, problems);
        }
        if (strict && !loaded.warnings().isEmpty()) {
            return ConfigException.EXIT_CODE;
        }
        PrintWriter out = spec.commandLine().getOut();
        out.print(
                explain
                        ? loaded.explain(showSecrets)
                        : file + ": OK, " + summary(loaded.config()) + System.lineSeparator());
        out.flush();
        return 0;
    }

    private static List<String> problems(AgentConfig config) {
        if (config.ca().isEmpty()) {
            return List.of();
        }
        try {
            CaFile unused =
                    CaFile.parse(config.ca().get(), Files.readString(config.ca().get()));
            return List.of();
        } catch (IOException e) {
            return List.of("agent.ca: " + ErrorText.of(e));
        }
    }

    private static String summary(AgentConfig config) {
        int nodes = config.nodes().size();
        int backends = config.register().size();
        return "agent, " + nodes + " node" + (nodes == 1 ? "" : "s") + ", " + backends + " backend"
                + (backends == 1 ? "" : "s");
    }
}
