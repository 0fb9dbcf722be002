package io.ballast.config.imports.nginx;

import io.ballast.config.imports.Directive;
import io.ballast.config.imports.ImportException;
import io.ballast.config.imports.ImportedText;
import io.ballast.core.ErrorText;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Reads a file and its includes as one tree of directives. Relative names are resolved against a base
 * directory. Limits: {@value #MAX_FILES} files, nested {@value #DEEPEST} deep, {@value #MAX_CHARACTERS}
 * characters in all.
 */
final class NginxReader {

    private static final Set<String> INCLUDE_DIRECTORIES =
            Set.of("sites-available", "sites-enabled", "conf.d", "http.d", "stream.d", "vhosts.d");
    private static final int MAX_FILES = 256;
    private static final int DEEPEST = 8;
    private static final int DEEPEST_BLOCK = 32;
    private static final int MAX_CHARACTERS = 8 * 1024 * 1024;

    private final Path base;
    private int files;
    private int characters;

    private NginxReader(Path base) {
        this.base = base;
    }

    /** Returns the top-level directives, outside any block. */
    static List<Directive> read(Path file) throws ImportException {
        return new NginxReader(base(file)).file(file, 0);
    }

    /**
     * Returns the directory against which relative names are resolved. This is the directory of the file. For a
     * file in one of the directories from which {@code nginx.conf} includes, it is the parent directory, because
     * nginx resolves names against the directory of {@code nginx.conf}.
     */
    static Path base(Path file) {
        Path directory = file.toAbsolutePath().normalize().getParent();
        Path name = directory == null ? null : directory.getFileName();
        if (directory == null || name == null) {
            return Path.of("/");
        }
        Path above = directory.getParent();
        return above != null && INCLUDE_DIRECTORIES.contains(name.toString()) ? above : directory;
    }

    private List<Directive> file(Path file, int depth) throws ImportException {
        if (++files > MAX_FILES || depth > DEEPEST) {
            throw new ImportException(
                    file + ": more than " + MAX_FILES + " files, or more than " + DEEPEST + " levels of includes");
        }
        String text = ImportedText.of(file);
        characters += text.length();
        if (characters > MAX_CHARACTERS) {
            throw new ImportException(file + ": more than " + MAX_CHARACTERS + " characters in all files");
        }
        NginxTokens tokens = new NginxTokens(file.toString(), text);
        List<Directive> directives = block(tokens, depth, 0);
        if (tokens.next() != null) {
            throw new ImportException(file + ":" + tokens.line() + ": '}' without a matching '{'");
        }
        return directives;
    }

    private List<Directive> block(NginxTokens tokens, int depth, int blocks) throws ImportException {
        List<Directive> directives = new ArrayList<>();
        List<String> words = new ArrayList<>();
        int line = 0;
        for (String token = tokens.next(); token != null; token = tokens.next()) {
            if (words.isEmpty()) {
                line = tokens.line();
            }
            if (tokens.isWord()) {
                words.add(token);
            } else if (token.equals("}")) {
                if (!words.isEmpty() || blocks == 0) {
                    throw new ImportException(tokens.place() + ": '}' is not expected here");
                }
                return directives;
            } else if (words.isEmpty()) {
                throw new ImportException(tokens.place() + ": '" + token + "' is not expected here");
            } else {
                boolean opens = token.equals("{");
                if (opens && blocks == DEEPEST_BLOCK) {
                    throw new ImportException(tokens.place() + ": more than " + DEEPEST_BLOCK + " nested blocks");
                }
                List<Directive> inner = opens ? block(tokens, depth, blocks + 1) : List.of();
                // The content of a types block is dropped, because forwarded responses keep their own content types.
                boolean isOpaque = words.get(0).equals("types");
                Directive directive = new Directive(tokens.file(), line, words, isOpaque ? List.of() : inner);
                directives.add(directive);
                if (words.get(0).equals("include") && !opens) {
                    directives.addAll(included(directive, depth));
                }
                words.clear();
            }
        }
        if (blocks > 0 || !words.isEmpty()) {
            throw new ImportException(tokens.file() + ": the file ends within a block or a directive");
        }
        return directives;
    }

    private List<Directive> included(Directive include, int depth) throws ImportException {
        Path pattern = base.resolve(include.word(1));
        Path directory = pattern.getParent();
        Path name = pattern.getFileName();
        List<Directive> directives = new ArrayList<>();
        if (directory == null || name == null || !include.word(1).matches(".*[*?\\[].*")) {
            return Files.exists(pattern) ? file(pattern, depth + 1) : directives;
        }
        List<Path> matches = new ArrayList<>();
        if (Files.isDirectory(directory)) {
            try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, name.toString())) {
                found.forEach(matches::add);
            } catch (IOException e) {
                throw new ImportException(directory + " cannot be read: " + ErrorText.reason(e));
            }
        }
        matches.sort(null);
        for (Path match : matches) {
            directives.addAll(file(match, depth + 1));
        }
        return directives;
    }
}
