/** The question to a resolver: {@link io.ballast.dns.forward.question.Question}. */
@NullMarked
package io.ballast.dns.forward.question;

import org.jspecify.annotations.NullMarked;
