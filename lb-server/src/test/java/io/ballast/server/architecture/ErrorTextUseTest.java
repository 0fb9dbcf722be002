package io.ballast.server.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import io.ballast.core.ErrorText;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Checks that texts for operators do not contain the bare message of an exception, which can be {@code null}, or only the name of a
 * file. {@link ErrorText} writes these texts.
 */
class ErrorTextUseTest {

    /** Classes that compare the message of an exception with known texts, and write a text of their own. */
    private static final Set<String> CLASSIFIERS = Set.of(
            "ErrorText",
            "BindFailure",
            "ConnectErrors",
            "DnsCheckExchange",
            "FailedWriteReader",
            "FileDescriptorReserve",
            "Http2Codec",
            "HttpFetcher",
            "ListDownload",
            "SocketFailure",
            "TlsErrors");

    private static final DescribedPredicate<JavaClass> OTHERS = describe(
            "do not classify exceptions",
            type -> !CLASSIFIERS.contains(type.getSimpleName())
                    && !CLASSIFIERS.contains(type.getEnclosingClass()
                            .map(JavaClass::getSimpleName)
                            .orElse("")));

    @Test
    void messagesOfExceptionsAreReadByErrorTextOnly() {
        noClasses()
                .that(OTHERS)
                .and(not(assignableTo(Throwable.class))) // an exception's own message, which its constructor requires
                .should()
                .callMethodWhere(JavaCall.Predicates.target(name("getMessage"))
                        .and(JavaCall.Predicates.target(owner(assignableTo(Throwable.class)))))
                .because("ErrorText writes a text that is never null and names the failure")
                .check(Classes.OF_ALL_MODULES);
    }
}
