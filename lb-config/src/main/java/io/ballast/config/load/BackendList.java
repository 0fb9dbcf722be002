package io.ballast.config.load;

import io.ballast.config.form.BackendListForm;
import io.ballast.config.key.ReadContext;
import io.ballast.config.yaml.Problems;
import io.ballast.config.yaml.SourcePosition;
import io.ballast.config.yaml.Variables;
import io.ballast.config.yaml.YamlReader;
import io.ballast.core.config.BackendConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Reads a file with a list of backends that is separate from the configuration and may be written by a program. */
public final class BackendList {

    private BackendList() {}

    /**
     * Returns the backends in the order of the file. The file must not contain environment variables.
     *
     * @throws ConfigException with all problems
     */
    public static List<BackendConfig> read(Path file) throws ConfigException {
        Problems problems = new Problems();
        Variables none = new Variables(name -> null);
        Optional<List<BackendConfig>> backends = FileText.OF_FILE
                .read(file, SourcePosition.of(file.toString()), problems, content -> {})
                .flatMap(text -> new YamlReader(file.toString(), none, problems).read(text))
                .flatMap(root -> BackendListForm.read(root, new ReadContext(problems, /* complete= */ true)));
        if (backends.isEmpty() || problems.hasErrors()) {
            throw new ConfigException(problems.errors(), problems.warnings(), Sources.NONE);
        }
        return backends.get();
    }
}
