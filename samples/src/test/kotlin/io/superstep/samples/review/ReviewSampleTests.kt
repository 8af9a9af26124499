package io.superstep.samples.review

import io.superstep.samples.Written
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.test.currentTime
import kotlinx.coroutines.test.runTest
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test

@OptIn(ExperimentalCoroutinesApi::class)
class ReviewSampleTests {

    @Test
    fun theEditorIsAskedUntilItIsContent() = runTest {
        val written = Written()

        ReviewSample.play(written.stream())

        written.stream().flush()
        assertThat(written.text()).isEqualTo(
            """
            Graphs are trees that have given up.${' '}
                Publish?
            editor: Review(publish=false, remark=kinder, please)
            Graphs are trees with a way back.${' '}
                Publish?
            editor: Review(publish=true, remark=)
            published: Graphs are trees with a way back.${' '}
            """.trimIndent() + "\n",
        )
        assertThat(currentTime).isEqualTo(14 * 120)
    }
}
