"""What makes Markdown a page of this book: mathematics, receipts, quizzes, citations, fonts."""
