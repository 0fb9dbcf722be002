package io.ballast.cli;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionStrategy;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;

/**
 * Runs the command of a command line, and reports arguments in the wrong order: the configuration argument
 * names a missing file, and another argument names an existing file. Otherwise only the missing file would be
 * reported.
 */
public final class ArgumentOrder implements IExecutionStrategy {

    private final IExecutionStrategy delegate = new RunLast();

    @Override
    public int execute(ParseResult parsed) {
        ParseResult last = parsed;
        while (last.hasSubcommand()) {
            last = last.subcommand();
        }
        check(last);
        return delegate.execute(parsed);
    }

    private static void check(ParseResult parsed) {
        List<Path> files = new ArrayList<>();
        List<String> others = new ArrayList<>();
        for (PositionalParamSpec parameter : parsed.matchedPositionals()) {
            if (parameter.getValue() instanceof Path file) {
                files.add(file);
            } else if (parameter.getValue() instanceof String text) {
                others.add(text);
            }
        }
        CommandSpec spec = parsed.commandSpec();
        for (Path file : files) {
            others.forEach(other -> check(spec.commandLine(), file, other, usage(spec)));
        }
    }

    private static String usage(CommandSpec spec) {
        return spec.qualifiedName() + " "
                + spec.positionalParameters().stream()
                        .map(PositionalParamSpec::paramLabel)
                        .collect(Collectors.joining(" "));
    }

    /**
     * Fails if {@code file} does not exist, but {@code other} names an existing file.
     *
     * @param usage the command and its arguments in the right order
     * @throws ParameterException which the command line prints
     */
    public static void check(CommandLine command, Path file, String other, String usage) {
        if (!Files.exists(file) && isFile(other)) {
            throw new ParameterException(
                    command, "'" + file + "' is not a file, but '" + other + "' is (expected: " + usage + ")");
        }
    }

    private static boolean isFile(String text) {
        try {
            return Files.isRegularFile(Path.of(text));
        } catch (InvalidPathException e) {
            return false;
        }
    }
}
