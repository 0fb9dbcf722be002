package io.ballast.cli;

import io.ballast.config.imports.ImportException;
import io.ballast.config.imports.ImportReport;
import io.ballast.config.imports.ImportedConfig;
import io.ballast.config.imports.Importer;
import io.ballast.config.imports.divisor.DivisorImporter;
import io.ballast.config.imports.haproxy.HaproxyImporter;
import io.ballast.config.imports.nginx.NginxImporter;
import io.ballast.core.ErrorText;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code lb import}: converts the configuration file of another load balancer to Ballast's long form, and
 * reports the result for each directive.
 */
@Command(
        name = "import",
        description =
                "Converts the configuration of another balancer, and writes a report with one line for each directive: same,"
                        + " changed, or no equivalent. The result passes lb check. Exit code 0: everything was converted; 3: some directives"
                        + " have no equivalent; 1: the file cannot be read, or nothing in it can be converted.",
        mixinStandardHelpOptions = true)
public final class ImportCommand implements Callable<Integer> {

    static final int FAILED = 1;
    static final int INCOMPLETE = 3;

    /** The supported formats, named as on the command line. */
    enum Grammar {
        haproxy(new HaproxyImporter()),
        nginx(new NginxImporter()),
        divisor(new DivisorImporter());

        private final Importer importer;

        Grammar(Importer importer) {
            this.importer = importer;
        }
    }

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "BALANCER", description = "One of: ${COMPLETION-CANDIDATES}.")
    private Grammar grammar;

    @Parameters(index = "1", paramLabel = "FILE", description = "The configuration file of that balancer.")
    private Path file;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "File for the configuration (default: standard output).")
    private @Nullable Path output;

    @Option(names = "--report", paramLabel = "FILE", description = "File for the report (default: standard error).")
    private @Nullable Path reportFile;

    @Override
    public Integer call() {
        PrintWriter err = spec.commandLine().getErr();
        try {
            ImportReport report = new ImportReport();
            String written = importConfig(report);
            if (output == null) {
                spec.commandLine().getOut().print(written);
                spec.commandLine().getOut().flush();
            } else {
                Files.writeString(output, written);
            }
            print(report);
            return report.isIncomplete() ? INCOMPLETE : 0;
        } catch (ImportException | IOException e) {
            err.println("lb: " + ErrorText.of(e));
            err.flush();
            return FAILED;
        }
    }

    private String importConfig(ImportReport report) throws ImportException, IOException {
        ImportedConfig config = grammar.importer.read(file, report);
        try {
            String written = config.toYaml(report);
            report.close();
            return written;
        } catch (ImportException e) {
            report.close();
            print(report);
            throw new ImportException(file + ": " + ErrorText.of(e));
        }
    }

    private void print(ImportReport report) throws IOException {
        if (reportFile == null) {
            report.print(spec.commandLine().getErr());
            return;
        }
        try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(reportFile))) {
            report.print(out);
        }
    }
}
